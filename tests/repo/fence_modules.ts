/** What fences of `fences.ts` look for in how modules are joined: imports of packages, computed names, work at import. */

import type { Report, Visit, Visitor } from "./fence_rules.ts";

/** Imports of the modules that fit, types included unless only values count. */
export function imports(specifier: RegExp, kind: "all" | "value" = "all"): Visit {
  return (report) => {
    const check = (node: Deno.lint.Node, source: Deno.lint.Node | null, isType: boolean) => {
      const name = source?.type === "Literal" ? String(source.value) : "";
      if (specifier.test(name) && !(isType && kind === "value")) report(node);
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, node.importKind === "type"),
      ExportNamedDeclaration: (node) => check(node, node.source, node.exportKind === "type"),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === "type"),
      ImportExpression: (node) => check(node, node.source, false),
    };
  };
}

export function computedImport(report: Report): Visitor {
  return {
    ImportExpression(node) {
      if (node.source.type !== "Literal") report(node);
    },
  };
}

/** A statement at the top of a module that calls, constructs, awaits or assigns. */
export function importWork(report: Report, context: Deno.lint.RuleContext): Visitor {
  return {
    Program(node) {
      for (const statement of node.body) {
        if (statement.type === "ExpressionStatement") report(statement);
        if (statement.type === "ForStatement" || statement.type === "ForOfStatement") report(statement);
      }
    },
    AwaitExpression(node) {
      const around = context.sourceCode.getAncestors(node);
      if (!around.some((ancestor) => /Function|^PropertyDefinition$/.test(ancestor.type))) report(node);
    },
  };
}
