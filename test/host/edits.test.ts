// Every kind of public bug report about editing files, byte for byte: the real tools on the real editor, with the file
// closed, open, and open with unsaved changes, with auto-save off and on. The rows are in edits-cases.ts.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import { until } from "./editors.ts";
import type { EditCase } from "./edits-cases.ts";
import { cases } from "./edits-cases.ts";
import { EditsFixture } from "./edits-fixture.ts";

type FileState = "closed" | "open" | "dirty";

const typed = "user typed this";

describe("edits of files", function () {
  this.timeout(60_000);
  let here: EditsFixture;
  before(() => {
    here = new EditsFixture();
  });
  after(() => here.dispose());

  for (const autoSave of ["off", "afterDelay"] as const) {
    describe(`with auto-save ${autoSave}`, () => {
      const settings = vscode.workspace.getConfiguration();
      before(async () => {
        await settings.update("files.autoSaveDelay", 100, vscode.ConfigurationTarget.Global);
        await settings.update("files.autoSave", autoSave, vscode.ConfigurationTarget.Global);
      });
      after(async () => {
        await settings.update("files.autoSave", undefined, vscode.ConfigurationTarget.Global);
        await settings.update("files.autoSaveDelay", undefined, vscode.ConfigurationTarget.Global);
      });
      afterEach(() => here.restore());

      for (const each of cases) {
        // The one that is opened last is in front: VS Code watches no file outside the workspace that nobody sees.
        const states: readonly FileState[] = [
          "closed",
          ...(each.cleanOnly ? [] : ["dirty" as const]),
          "open",
        ];
        it(`${each.title} (${each.id})`, async () => {
          for (const [name, value] of Object.entries(each.settings ?? {})) await here.disk.set(name, value);
          for (const state of states) await prepare(here, each, state);
          await Promise.all(
            states.map((state) => check(here, each, { state, autoSaved: autoSave !== "off" })),
          );
        });
      }
    });
  }
});

function pathOf({ name = "f.txt" }: EditCase, state: FileState): string {
  return `${state}/${name}`;
}

async function prepare(here: EditsFixture, each: EditCase, state: FileState): Promise<void> {
  const path = pathOf(each, state);
  here.put(path, each.before, each.mode);
  if (state === "closed") return;
  // What is no text has no editor.
  await here.show(path).then(undefined, () => undefined);
  if (state !== "dirty") return;
  const eol = here.document(path)?.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  await here.type(path, new vscode.Position(0, 0), typed + eol);
}

async function check(
  here: EditsFixture,
  each: EditCase,
  { state, autoSaved }: { readonly state: FileState; readonly autoSaved: boolean },
): Promise<void> {
  const path = pathOf(each, state);
  const dirty = state === "dirty";
  const result = withoutUnsaved(await run(here, each, path), path);
  if (typeof each.says === "string") assert.equal(result.text, each.says.replaceAll("P", path), state);
  else assert.match(result.text, each.says, state);
  // With auto-save the file may be on disk by the time the model is told.
  if (!autoSaved) assert.equal(result.unsaved, dirty && each.after !== undefined, `${state}: what is said`);

  const document = here.document(path);
  const before = Buffer.from(each.before);
  const wanted = Buffer.from(each.after ?? each.before);
  const onDisk = !dirty ? wanted : autoSaved ? withTyped(wanted, document) : before;
  if (dirty && autoSaved) await until("auto-save is done", () => onDisk.equals(here.bytes(path)));
  assert.equal(here.bytes(path).toString("latin1"), onDisk.toString("latin1"), `${state}: bytes on disk`);
  if (each.mode !== undefined) assert.equal(fs.statSync(here.path(path)).mode & 0o777, each.mode, state);
  if (document === undefined) return;
  await until(`${state}: it is saved or not`, () => document.isDirty === (dirty && !autoSaved));
  const shown = await shownText(dirty ? withTyped(wanted, document) : wanted, document);
  await until(`${state}: the document shows it`, () => document.getText() === shown);
}

async function run(here: EditsFixture, { calls }: EditCase, path: string): Promise<string> {
  await here.call("read", { path });
  let last = "";
  for (const [tool, args] of calls(path)) last = (await here.accepted(tool, args)).text;
  return last;
}

/** The sentence about unsaved changes is the same in all answers. */
function withoutUnsaved(text: string, path: string): { readonly text: string; readonly unsaved: boolean } {
  const sentence = `\n\n${path} has unsaved changes of the user, so it was not saved: commands still see the old file.`;
  return { text: text.replace(sentence, ""), unsaved: text.includes(sentence) };
}

/** As the editor saves it: the typed line after a byte order mark, and one kind of line ending. */
function withTyped(bytes: Buffer, document: vscode.TextDocument | undefined): Buffer {
  const eol = document?.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  if (bytes[0] === 0xff) {
    return Buffer.concat([bytes.subarray(0, 2), Buffer.from(typed + eol, "utf16le"), bytes.subarray(2)]);
  }
  const mark = bytes[1] === 0xbb ? 3 : 0;
  const rest = bytes.toString("latin1", mark).replace(/\r\n|\r|\n/g, eol);
  return Buffer.concat([bytes.subarray(0, mark), Buffer.from(typed + eol + rest, "latin1")]);
}

async function shownText(bytes: Buffer, document: vscode.TextDocument): Promise<string> {
  const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
  return text.replace(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n");
}
