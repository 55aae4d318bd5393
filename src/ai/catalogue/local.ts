// Servers on this machine at the ports they have by default. Data only. Which models they offer is found by looking
// (node/local-servers.ts); until then, and for ids that were not found, a window of 32,768 tokens is assumed. Sources,
// read 2026-12-01: docs.ollama.com, lmstudio.ai/docs, llama.cpp's tools/server/README.md, docs.vllm.ai.
import type { CatalogueProvider } from "./provider-entry.ts";

export const localServers: readonly CatalogueProvider[] = [
  local("ollama", "Ollama", 11434),
  local("lmstudio", "LM Studio", 1234),
  local("llamacpp", "llama.cpp", 8080),
  local("vllm", "vLLM", 8000),
];

function local(id: string, name: string, port: number): CatalogueProvider {
  return {
    ...{ id, name, api: "openai-chat", baseUrl: `http://127.0.0.1:${port}/v1` },
    models: [],
    found: true,
    families: [{ pattern: /./, like: { contextWindow: 32_768 } }],
  };
}
