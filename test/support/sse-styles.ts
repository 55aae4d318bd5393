// The same events as servers and proxies really write them: what the format of server-sent events allows, and what
// careless servers do to it.

/** A body, rewritten; the events in it stay the same. */
export type SseStyle = (body: string) => string;

/** What every reader of server-sent events has to take. */
export const legalStyles: Readonly<Record<string, SseStyle>> = {
  "CRLF line ends": (body) => body.replaceAll("\n", "\r\n"),
  "CR line ends": (body) => body.replaceAll("\n", "\r"),
  "a byte order mark": (body) => `\uFEFF${body}`,
  "data over several lines": (body) =>
    body.replace(/^data: (\{.*)$/gm, (_line, json: string) =>
      JSON.stringify(JSON.parse(json), null, 1).replace(/^/gm, "data: "),
    ),
  "no space behind the colons": (body) => body.replace(/^(data|event): /gm, "$1:"),
  "ids and retry times": (body) => body.replace(/^data: /gm, "id: 7\nretry: 3000\ndata: "),
  "comments between and within events": (body) =>
    `: connected\n\n${body.replace(/^data: /gm, ": keep-alive\ndata: ").replaceAll("\n\n", "\n\n: ping\n\n")}`,
  "the name behind the data": (body) => body.replace(/^(event: .*)\n(data: .*)$/gm, "$2\n$1"),
  "fields that nobody knows": (body) => body.replace(/^data: /gm, "x-trace: 1\ndata: "),
  "empty lines in excess": (body) => body.replaceAll("\n\n", "\n\n\n\n"),
};

/** What compatible servers get wrong, and readers can do without. */
export const carelessStyles: Readonly<Record<string, SseStyle>> = {
  "no event names": (body) => body.replace(/^event: .*\n/gm, ""),
  "[DONE] at the end": (body) => `${body.replace("data: [DONE]\n\n", "")}data: [DONE]\n\n`,
  "no event names, behind comments": (body) => `: a\n: b\n\n${body.replace(/^event: .*\n/gm, "")}`,
};
