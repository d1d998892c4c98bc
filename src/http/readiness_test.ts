import assert from "node:assert/strict";
import { notReadyText } from "./readiness.ts";

Deno.test("notReadyText() names the setting to correct", () => {
  assert.match(
    notReadyText("silverbullet_unreachable"),
    /SILVERBRIDGE_SILVERBULLET_URL: start it, or correct the address/,
  );
  assert.match(notReadyText("silverbullet_html_page"), /SILVERBRIDGE_SILVERBULLET_URL .* path prefix/);
  assert.match(
    notReadyText("silverbullet_auth"),
    /SILVERBRIDGE_SILVERBULLET_TOKEN: .*SB_AUTH_TOKEN.*SB_USER/,
  );
  assert.match(notReadyText("folder_unreadable"), /SILVERBRIDGE_ROOTS/);
});
