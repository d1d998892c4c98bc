/** What a source file imports, read from its syntax tree (Deno's own lint parser), so that strings and comments never count. */

export interface Import {
  readonly specifier: string;
  /** True for `import type`: no code is loaded. */
  readonly typeOnly: boolean;
}

/** Static imports, re-exports, literal `import()`, import types, and worker entries named by `new URL("./…", import.meta.url)`. */
export function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  function add(source: Deno.lint.Node | null | undefined, typeOnly: boolean) {
    if (source?.type === "Literal" && typeof source.value === "string") {
      found.push({ specifier: source.value, typeOnly });
    }
  }
  const visitor: Deno.lint.LintVisitor = {
    ImportDeclaration: (node) => add(node.source, node.importKind === "type"),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ImportExpression: (node) => add(node.source, false),
    TSImportType: (node) => add(node.argument.type === "TSLiteralType" ? node.argument.literal : null, true),
    NewExpression(node) {
      const first = node.arguments[0];
      const isUrl = node.callee.type === "Identifier" && node.callee.name === "URL";
      if (isUrl && first?.type === "Literal" && /^\.\.?\/.*\.ts$/.test(String(first.value))) {
        add(first, false);
      }
    },
  };
  const plugin: Deno.lint.Plugin = { name: "imports", rules: { read: { create: () => visitor } } };
  Deno.lint.runPlugin(plugin, path, text);
  return found;
}

/** The project path that a relative specifier of that file means, or `null` for a package or a platform module. */
export function resolveImport(path: string, specifier: string): string | null {
  if (!specifier.startsWith(".")) return null;
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}
