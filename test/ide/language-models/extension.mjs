// A language model provider whose models and answers the host suite sets through what `activate` returns.
import * as vscode from "vscode";

/** @param {Pick<vscode.ExtensionContext, "subscriptions">} context */
export function activate(context) {
  const changed = new vscode.EventEmitter();
  /** @type {any} */
  const state = { models: [], requests: [], answer: async () => undefined, list: undefined };
  const provider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => state.list?.() ?? state.models,
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) => {
      state.requests.push({ model: model.id, messages, options, token });
      await state.answer({
        text: (text) => progress.report(new vscode.LanguageModelTextPart(text)),
        call: (id, name, input) => progress.report(new vscode.LanguageModelToolCallPart(id, name, input)),
        data: (text) => progress.report(vscode.LanguageModelDataPart.text(text)),
        token,
        vscode,
      });
    },
    provideTokenCount: async () => 1,
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("reins-test", provider));
  return {
    state,
    offer: (models) => {
      state.models = models;
      changed.fire();
    },
  };
}
