/**
 * The tools, resources and prompts that the official conformance suite calls by name, behind the product's own
 * HTTP and MCP stack. Nothing of this is part of the product: it shows that the wire is right where the product
 * has no use for a feature.
 */

import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ServedRequest } from "../../../src/mcp/endpoint.ts";
import { isRecord, type RpcMessage } from "../../../src/mcp/message.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
const nameForm = z.object({ name: z.string() });
const state = createRequestStateCodec({ key: new Uint8Array(32).fill(7) });

export function fixtureServer({ era, message }: ServedRequest): McpServer {
  const server = new McpServer({ name: "fixtures", version: "1.0.0" }, {
    capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
    requestState: { verify: state.verify },
  });
  addContentTools(server);
  addStreamTools(server);
  addResources(server);
  addPrompts(server);
  if (era === "modern") addInputTools(server, declaredCapabilities(message));
  return server;
}

/** What the client says it can do, with this very request. */
function declaredCapabilities({ params }: RpcMessage): object {
  const meta = params?.["_meta"];
  const declared = isRecord(meta) ? meta["io.modelcontextprotocol/clientCapabilities"] : undefined;
  return isRecord(declared) ? declared : {};
}

function text(value: string) {
  return { content: [{ type: "text" as const, text: value }] };
}

function addContentTools(server: McpServer): void {
  const embedded = {
    uri: "test://embedded-resource",
    mimeType: "text/plain",
    text: "This is an embedded resource content.",
  };
  const mixed = {
    uri: "test://mixed-content-resource",
    mimeType: "application/json",
    text: '{"test":"data","value":123}',
  };
  const image = { type: "image" as const, data: png, mimeType: "image/png" };
  const answers = {
    test_simple_text: text("This is a simple text response for testing."),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: "audio" as const, data: wav, mimeType: "audio/wav" }] },
    test_embedded_resource: { content: [{ type: "resource" as const, resource: embedded }] },
    test_multiple_content_types: {
      content: [...text("Multiple content types test:").content, image, {
        type: "resource" as const,
        resource: mixed,
      }],
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    server.registerTool(name, { description: "Answers one kind of content" }, () => answer);
  }
  server.registerTool("test_error_handling", { description: "Fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

function addStreamTools(server: McpServer): void {
  server.registerTool("test_tool_with_progress", { description: "Tells its progress" }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) continue;
      const params = { progressToken, progress, total: 100 };
      await context.mcpReq.notify({ method: "notifications/progress", params });
    }
    return text("Progress was told");
  });
  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    server.registerTool(name, { description: "Logs three times" }, async (context) => {
      for (const line of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await context.mcpReq.log("info", line);
      }
      return text("Logged");
    });
  }
}

function addResources(server: McpServer): void {
  const fixed = (
    name: string,
    uri: string,
    content: { mimeType: string; text: string } | { mimeType: string; blob: string },
  ) =>
    server.registerResource(name, uri, { description: name, mimeType: content.mimeType }, () => ({
      contents: [{ uri, ...content }],
    }));
  fixed("static-text", "test://static-text", {
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  });
  fixed("static-binary", "test://static-binary", { mimeType: "image/png", blob: png });
  fixed("watched-resource", "test://watched-resource", { mimeType: "text/plain", text: "Watched" });
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource(
    "template",
    template,
    { description: "By id", mimeType: "application/json" },
    (uri, { id }) => ({
      contents: [{
        uri: uri.href,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }],
    }),
  );
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}

function addPrompts(server: McpServer): void {
  const says = (content: string) => ({
    role: "user" as const,
    content: { type: "text" as const, text: content },
  });
  server.registerPrompt("test_simple_prompt", { description: "Simple" }, () => ({
    messages: [says("This is a simple prompt for testing.")],
  }));
  server.registerPrompt("test_prompt_with_arguments", {
    description: "With arguments",
    argsSchema: z.object({ arg1: z.string(), arg2: z.string() }),
  }, ({ arg1, arg2 }) => ({ messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }));
  server.registerPrompt("test_prompt_with_embedded_resource", {
    description: "With a resource",
    argsSchema: z.object({ resourceUri: z.string() }),
  }, ({ resourceUri }) => ({
    messages: [
      {
        role: "user",
        content: {
          type: "resource",
          resource: {
            uri: resourceUri,
            mimeType: "text/plain",
            text: "Embedded resource content for testing.",
          },
        },
      },
      says("Please process the embedded resource above."),
    ],
  }));
  server.registerPrompt("test_prompt_with_image", { description: "With an image" }, () => ({
    messages: [
      { role: "user", content: { type: "image", data: png, mimeType: "image/png" } },
      says("Please analyze the image above."),
    ],
  }));
  server.server.setRequestHandler("completion/complete", () => ({
    completion: { values: ["paris", "park", "party"], total: 3, hasMore: false },
  }));
}

/** Tools of the new era that ask the client for something and are called again with its answer. */
function addInputTools(server: McpServer, declared: object): void {
  const tool = (name: string, run: (context: ServerContext) => unknown) =>
    // The result is a complete one or an input_required one; the library checks which.
    server.registerTool(name, { description: "Asks for input" }, run as never);
  const askName = () => inputRequired.elicit({ message: "What is your name?", requestedSchema: nameForm });
  const ask = (words: string, maxTokens: number) =>
    inputRequired.createMessage({
      messages: [{ role: "user", content: { type: "text", text: words } }],
      maxTokens,
    });
  const nameIn = (context: ServerContext, key: string) =>
    acceptedContent<{ name: string }>(context.mcpReq.inputResponses, key);

  tool("test_input_required_result_elicitation", (context) => {
    const answer = nameIn(context, "user_name");
    return answer === undefined
      ? inputRequired({ inputRequests: { user_name: askName() } })
      : text(`Hello, ${answer.name}!`);
  });
  tool("test_streaming_elicitation", () => inputRequired({ inputRequests: { user_name: askName() } }));
  tool("test_missing_capability", () => inputRequired({ inputRequests: { question: ask("Anything", 10) } }));
  tool("test_input_required_result_sampling", (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, "capital_question");
    return answer.kind === "sampling"
      ? text(`Answer: ${JSON.stringify(answer.result.content)}`)
      : inputRequired({ inputRequests: { capital_question: ask("What is the capital of France?", 100) } });
  });
  tool("test_input_required_result_list_roots", (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, "client_roots");
    return answer.kind === "roots"
      ? text(`Roots: ${JSON.stringify(answer.roots)}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (
    const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]
  ) {
    tool(name, async (context) => {
      if (context.mcpReq.requestState<{ step: string }>()?.step === "confirm") return text("state-ok");
      const requestedSchema = z.object({ ok: z.boolean() });
      return inputRequired({
        inputRequests: { confirm: inputRequired.elicit({ message: "Please confirm", requestedSchema }) },
        requestState: await state.mint({ step: "confirm" }),
      });
    });
  }
  tool("test_input_required_result_multiple_inputs", async (context) => {
    const given = context.mcpReq.inputResponses;
    const all = ["user_name", "greeting", "client_roots"];
    if (all.every((key) => inputResponse(given, key).kind !== "missing")) return text("All three came");
    return inputRequired({
      inputRequests: {
        user_name: askName(),
        greeting: ask("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await state.mint({ step: "all" }),
    });
  });
  tool("test_input_required_result_multi_round", async (context) => {
    const step = context.mcpReq.requestState<{ step: number }>()?.step ?? 0;
    if (step === 2) return text("Both steps are done");
    const message = step === 0 ? "Step 1: What is your name?" : "Step 2: What is your favorite color?";
    const field = step === 0 ? "name" : "color";
    const requestedSchema = z.object({ [field]: z.string() });
    return inputRequired({
      inputRequests: {
        [`step${step + 1}`]: inputRequired.elicit({ message, requestedSchema }),
      },
      requestState: await state.mint({ step: step + 1 }),
    });
  });
  tool("test_input_required_result_capabilities", () => {
    const inputRequests = {
      ...("elicitation" in declared ? { user_name: askName() } : {}),
      ...("sampling" in declared ? { greeting: ask("Generate a greeting", 50) } : {}),
      ...("roots" in declared ? { client_roots: inputRequired.listRoots() } : {}),
    };
    return Object.keys(inputRequests).length === 0
      ? text("Nothing to ask")
      : inputRequired({ inputRequests });
  });
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks for input" },
    ((context: ServerContext) => {
      const answer = acceptedContent<{ context: string }>(context.mcpReq.inputResponses, "user_context");
      if (answer === undefined) {
        const requestedSchema = z.object({ context: z.string() });
        const question = inputRequired.elicit({
          message: "What context should the prompt use?",
          requestedSchema,
        });
        return inputRequired({ inputRequests: { user_context: question } });
      }
      return { messages: [{ role: "user", content: { type: "text", text: answer.context } }] };
    }) as never,
  );
}
