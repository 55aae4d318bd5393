// What the disk knows of a file and the VS Code API does not tell: where links lead, and permission bits.
import { chmod, realpath, stat } from "node:fs/promises";

/** For VsCodeFiles and VsCodeFileImages on the Node host. */
export const fileFacts = {
  realPath(fsPath: string): Promise<string> {
    return realpath(fsPath);
  },
  async isReadOnly(fsPath: string): Promise<boolean> {
    // By mode and not by access(2): an administrator may write everything, and is not asked whether they want to.
    return ((await stat(fsPath)).mode & 0o222) === 0;
  },
  async mode(fsPath: string): Promise<number> {
    return (await stat(fsPath)).mode & 0o7777;
  },
  async setMode(fsPath: string, mode: number): Promise<void> {
    await chmod(fsPath, mode);
  },
};
