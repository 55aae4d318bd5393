// A conversation may go on with any model: what came through each API is played back to each other one, and the strict
// server behind it has to accept every request.
import assert from "node:assert/strict";
import type { Message } from "../../../src/ai/types.ts";
import { contractApis } from "../../support/contract-apis.ts";
import type { ContractApi, ContractHost } from "../../support/contract-apis.ts";
import { ask, broken, hello } from "../../support/contract-run.ts";
import { png } from "../../support/image-rules.ts";
import { testTime, textOf, toolResult, user } from "../../support/provider-models.ts";
import { reply } from "../../support/provider-replies.ts";

/** Where what was sent can be looked at. */
const targets = contractApis.filter(({ can }) => can.images);
const secret = "A secret thought.";

describe("a conversation handed over", () => {
  const hosts = new Map<ContractApi, ContractHost>();
  before(async () => {
    for (const api of contractApis) hosts.set(api, await api.start());
  });
  after(() => Promise.all([...hosts.values()].map((host) => host.close())));
  const hostOf = (api: ContractApi): ContractHost => {
    const host = hosts.get(api);
    assert.ok(host);
    return host;
  };

  for (const from of contractApis) {
    for (const to of targets) {
      it(`from ${from.name} to ${to.name} goes on (P30, P31)`, async () => {
        const messages = await conversation(from, hostOf(from));
        const host = hostOf(to);
        const isOwn = from === to;
        for (const text of ["Seen.", "Again."]) {
          host.play(reply({ text }));
          const { message } = await ask(host, { messages });
          assert.equal(host.refused(), undefined);
          assert.deepEqual([message.errorMessage, textOf(message)], [undefined, text]);
          const sent = host.sent();
          for (const part of ["Looking.", "first result", "no such file", png(8, 8).data])
            assert.ok(sent.includes(part), part);
          assert.equal(sent.includes(secret), isOwn && to.can.thinkingBack, "thinking is its model's own");
          assert.doesNotMatch(sent, /Half of/, "failed answers are not sent");
          messages.push(message, user("Go on"));
        }
      });
    }
  }

  for (const to of targets) {
    it(`through all to ${to.name} and back keeps every turn`, async () => {
      const messages: Message[] = [...hello];
      for (const from of [...contractApis, ...contractApis]) {
        messages.push(...(await exchange(from, hostOf(from), messages)), user("Next"));
      }
      const host = hostOf(to);
      host.play(reply({ text: "All seen." }));
      const { message } = await ask(host, { messages });
      assert.deepEqual([host.refused(), textOf(message)], [undefined, "All seen."]);
      assert.equal(host.sent().split("first result").length - 1, contractApis.length * 2);
    });
  }
});

/** With a failed and an unanswered turn, where the API can fail. */
async function conversation(api: ContractApi, host: ContractHost): Promise<Message[]> {
  const messages: Message[] = [...hello, ...(await exchange(api, host, hello)), user("Next")];
  if (!api.can.fails) return messages;
  host.play(reply({ text: ["Half of ", broken()], calls: [{ name: "read", arguments: {} }] }));
  const failed = (await ask(host, { messages })).message;
  assert.equal(failed.stopReason, "error");
  messages.push(failed, user("Try again"));
  host.play(reply({ text: "One more.", calls: [{ name: "read", arguments: { path: "b" } }] }));
  return [...messages, (await ask(host, { messages })).message, user("Leave that")];
}

/** Thinking, text, two calls with an image and an error as results, and an answer. */
async function exchange(
  api: ContractApi,
  host: ContractHost,
  messages: readonly Message[],
): Promise<Message[]> {
  const calls = [
    { id: "call.with:odd|characters", name: "read", arguments: { path: "é—🦊" } },
    { id: `call_abc|fc_${"x".repeat(100)}`, name: "grep", arguments: {} },
  ];
  host.play(reply({ ...(api.can.thinking && { thinking: secret }), text: "Looking.", calls }));
  const asked = (await ask(host, { messages })).message;
  const [first, second] = asked.content.filter((block) => block.type === "toolCall");
  assert.ok(first && second, asked.errorMessage);
  const results: Message[] = [
    {
      ...{ role: "toolResult", toolCallId: first.id, toolName: first.name, isError: false },
      ...{ content: [{ type: "text", text: "first result" }, png(8, 8)], timestamp: testTime },
    },
    toolResult(second.id, "no such file", true),
  ];
  host.play(reply({ text: "I see." }));
  const { message } = await ask(host, { messages: [...messages, asked, ...results] });
  return [asked, ...results, message];
}
