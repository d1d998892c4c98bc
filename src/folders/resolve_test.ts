import assert from "node:assert/strict";
import { DiskFault } from "./disk.ts";
import { faultOf } from "./resolve.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, open '/srv/secret'`), { code });
}

function kindOf(error: unknown): string | null {
  const fault = faultOf(error);
  return fault instanceof DiskFault ? fault.kind : null;
}

Deno.test("every error of a file system is an outcome, also one that no list knows", () => {
  assert.equal(kindOf(systemError("ENOENT")), "absent");
  assert.equal(kindOf(systemError("ENOTDIR")), "not-a-directory");
  for (const code of ["EACCES", "EIO", "ENOKEY", "EUCLEAN", "EREMOTEIO", "ENOMEDIUM", "EBADMSG", "EL2HLT"]) {
    assert.equal(kindOf(systemError(code)), "denied", code);
  }
  assert.equal(kindOf(new Deno.errors.InvalidData("invalid UTF-8")), "absent");
});

Deno.test("what this process lacks, and what is no error of the system, stays unexpected", () => {
  for (const code of ["EMFILE", "ENFILE", "ENOMEM", "ERR_INVALID_ARG_TYPE"]) {
    assert.equal(kindOf(systemError(code)), null, code);
  }
  assert.equal(kindOf(new TypeError("x is undefined")), null);
  assert.equal(kindOf("no error at all"), null);
});
