// A terminal of ours: VS Code shows what a command prints and hands over what the user types, the process is
// elsewhere (`shell-run.ts`). One command at a time; the terminal stays for the next.
import * as vscode from "vscode";
import { LineInput } from "./line-input.ts";
import { Screen, dim } from "./screen.ts";
import type { ShellRun } from "./shell-run.ts";

/**
 * Input this soon after opening is not the user's, in milliseconds: other extensions type into every new terminal
 * (to activate an environment), which would reach the running command.
 */
const deafMs = 1000;

export class ReinsTerminal implements vscode.Pseudoterminal {
  readonly terminal: vscode.Terminal;
  readonly onDidWrite: vscode.Event<string>;
  private readonly written = new vscode.EventEmitter<string>();
  private readonly screen = new Screen((text) => this.written.fire(text));
  private readonly input: LineInput;
  private readonly onClosed: () => void;
  private openedAt = Number.POSITIVE_INFINITY;
  private current: ShellRun | undefined;
  private taken = false;
  private closed = false;

  /** `onClosed`: the user closed it, or it was disposed. */
  constructor(onClosed: () => void) {
    this.onClosed = onClosed;
    this.onDidWrite = this.written.event;
    this.input = new LineInput({
      echo: (text) => this.screen.push(text),
      send: (text) => this.current?.write(text),
      interrupt: () => this.current?.interrupt(),
      end: () => this.current?.endInput(),
    });
    this.terminal = vscode.window.createTerminal({
      name: "Reins",
      pty: this,
      iconPath: new vscode.ThemeIcon("terminal"),
      isTransient: true,
    });
  }

  get busy(): boolean {
    return this.taken;
  }

  /** Reserves it and shows the command line. */
  begin(command: string): void {
    this.taken = true;
    this.screen.push(`${dim("$")} ${command.trimEnd()}\n`);
  }

  attach(run: ShellRun): void {
    this.current = run;
    if (this.closed) run.close();
  }

  print(text: string): void {
    this.screen.push(text);
  }

  /** Releases it for the next command. */
  end(note: string): void {
    this.current = undefined;
    this.taken = false;
    this.screen.push(`${dim(note)}\n\n`);
  }

  reveal(): void {
    this.terminal.show(true);
  }

  open(): void {
    this.openedAt = Date.now();
    this.screen.start();
  }

  close(): void {
    this.closed = true;
    this.screen.dispose();
    this.current?.close();
    this.onClosed();
  }

  handleInput(data: string): void {
    if (this.current && Date.now() - this.openedAt >= deafMs) this.input.feed(data);
  }
}
