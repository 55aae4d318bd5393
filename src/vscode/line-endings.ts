// Line endings as a document knows them: one kind for all of its lines.

/** Whether an editor, which knows one line ending per document, would change this text by saving it. */
export function hasMixedLineEndings(text: string): boolean {
  const crlf = countOf(text, "\r\n");
  return countOf(text, "\r") > crlf || (crlf > 0 && countOf(text, "\n") > crlf);
}

/** The text with every line ending replaced. */
export function withLineEnding(text: string, ending: "\n" | "\r\n"): string {
  return text.replace(/\r\n|\r|\n/g, ending);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
