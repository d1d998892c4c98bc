/** The uses that fences of `fences.ts` look for. Every function takes what to report and answers a visitor. */

export type Visitor = Deno.lint.LintVisitor;
export type Report = (node: Deno.lint.Node) => void;
export type Visit = (report: Report, context: Deno.lint.RuleContext) => Visitor;

/** `Deno.name` for the names that fit. */
export function deno(property: RegExp): Visit {
  return (report) => ({
    MemberExpression(node) {
      if (node.object.type !== "Identifier" || node.object.name !== "Deno") return;
      if (node.property.type === "Identifier" && property.test(node.property.name)) report(node);
    },
  });
}

/** `const { env } = Deno`, `Deno["exit"]`, `globalThis.Deno`: ways around every rule about `Deno.name`. */
export function takenApart(report: Report): Visitor {
  return {
    Identifier(node) {
      if (node.name !== "Deno") return;
      const { parent } = node;
      const isObject = parent?.type === "MemberExpression" && parent.object === node && !parent.computed;
      if (!isObject && parent?.type !== "TSQualifiedName") report(node);
    },
    MemberExpression(node) {
      const isGlobal = node.object.type === "Identifier" && node.object.name === "globalThis";
      if (isGlobal && node.property.type === "Literal" && node.property.value === "Deno") report(node);
    },
  };
}

export function globalUse(...names: readonly string[]): Visit {
  return (report) => ({
    MemberExpression(node) {
      if (node.object.type === "Identifier" && names.includes(node.object.name)) report(node);
    },
    CallExpression(node) {
      if (node.callee.type === "Identifier" && names.includes(node.callee.name)) report(node);
    },
    NewExpression(node) {
      if (node.callee.type === "Identifier" && names.includes(node.callee.name)) report(node);
    },
  });
}

/** A text that holds those characters, in a string or a template. */
export function literal(characters: string): Visit {
  return (report) => ({
    Literal(node) {
      if (typeof node.value === "string" && node.value.includes(characters)) report(node);
    },
    TemplateElement(node) {
      if (node.raw.includes(characters)) report(node);
    },
  });
}

export function webCryptoDigest(report: Report): Visitor {
  return {
    MemberExpression(node) {
      if (node.property.type === "Identifier" && node.property.name === "subtle") report(node);
    },
  };
}

/** `===` between two things of which one is named like a secret; a check against null or a literal is none. */
export function secretComparison(report: Report): Visitor {
  return {
    BinaryExpression(node) {
      if (!/^[!=]==?$/.test(node.operator)) return;
      const sides = [node.left, node.right];
      if (sides.some((side) => side.type === "Literal" || nameOf(side) === "undefined")) return;
      if (sides.some((side) => /(token|secret|passphrase|password|credential|bearer)$/i.test(nameOf(side)))) {
        report(node);
      }
    },
  };
}

function nameOf(node: Deno.lint.Node): string {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  return node.type === "MemberExpression" && !node.computed ? nameOf(node.property) : "";
}

const writeName =
  /^(write|append|truncate|ftruncate|create|rename|remove|rm|unlink|mkdir|mkdtemp|makeTemp|copyFile|cp|symlink|link|chmod|chown|utime|lutime|futime)/;

/** Calls that change a file, however they are reached, and the options and flags that open one for writing. */
export function writes(report: Report): Visitor {
  return {
    MemberExpression(node) {
      const owner = node.object.type === "Identifier" ? node.object.name : "";
      if (/^(Deno|fs|nodeFs|promises|file|handle)$/.test(owner) && writeName.test(nameOf(node))) report(node);
      if (/^O_(WRONLY|RDWR|CREAT|APPEND|TRUNC)$/.test(nameOf(node))) report(node);
    },
    ImportSpecifier(node) {
      const { parent } = node;
      const isFs = parent?.type === "ImportDeclaration" && /^(node:)?fs/.test(String(parent.source.value));
      if (isFs && node.imported.type === "Identifier" && writeName.test(node.imported.name)) report(node);
    },
    Property(node) {
      const key = node.key.type === "Identifier" ? node.key.name : "";
      const isOn = node.value.type === "Literal" && node.value.value === true;
      if (isOn && /^(write|append|create|createNew|truncate)$/.test(key)) report(node);
    },
  };
}
