// The names in a zip file, from its central directory. Does not unpack anything.
import { readFileSync } from "node:fs";

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/** Throws if the file is no zip file. */
export function zipEntries(path: string): string[] {
  const zip = readFileSync(path);
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== endOfDirectory) end--;
  if (end < 0) throw new Error(`${path} is no zip file`);
  const names: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== directoryEntry) throw new Error(`${path} has a damaged directory`);
    const nameLength = zip.readUInt16LE(at + 28);
    names.push(zip.toString("utf8", at + 46, at + 46 + nameLength));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names;
}
