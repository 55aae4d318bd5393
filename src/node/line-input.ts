// What the user types into a command's terminal, turned into lines: the little of a tty's line editing that a
// pipe lacks. Leaves to the terminal what becomes of lines and keys.
import stripAnsi from "strip-ansi";

export interface LineInputTarget {
  /** Shows text in the terminal. */
  echo(text: string): void;
  /** To the command. */
  send(text: string): void;
  interrupt(): void;
  /** No more input (Ctrl+D on an empty line). */
  end(): void;
}

export class LineInput {
  private line: string[] = [];
  private readonly target: LineInputTarget;

  constructor(target: LineInputTarget) {
    this.target = target;
  }

  /** Keys as a terminal sends them: characters, a control character, or a pasted text. */
  feed(data: string): void {
    for (const key of stripAnsi(data).replace(/\r\n/g, "\r")) this.press(key);
  }

  private press(key: string): void {
    if (key === "\r" || key === "\n") this.enter();
    else if (key === "\u007f" || key === "\b") this.erase(1);
    else if (key === "\u0015") this.erase(this.line.length);
    else if (key === "\u0003") this.interrupt();
    else if (key === "\u0004") this.endOfInput();
    else if (key >= " " || key === "\t") this.insert(key);
  }

  private insert(key: string): void {
    this.line.push(key);
    this.target.echo(key);
  }

  private enter(): void {
    this.target.echo("\n");
    this.target.send(this.take() + "\n");
  }

  private erase(count: number): void {
    const erased = this.line.splice(Math.max(0, this.line.length - count), count).length;
    this.target.echo("\b \b".repeat(erased));
  }

  private interrupt(): void {
    this.take();
    this.target.echo("^C\n");
    this.target.interrupt();
  }

  /** As a tty does it: what is typed so far is sent; with nothing typed the input ends. */
  private endOfInput(): void {
    const typed = this.take();
    if (typed) this.target.send(typed);
    else this.target.end();
  }

  private take(): string {
    return this.line.splice(0).join("");
  }
}
