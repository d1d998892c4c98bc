/**
 * The files of the sample space, embedded in the program. Generated from `demo_space/` by `deno task update`.
 */

import file0 from "./demo_space/Archive/Old Shed.md" with { type: "text" };
import file1 from "./demo_space/Areas/Finance.md" with { type: "text" };
import file2 from "./demo_space/Areas/Members.md" with { type: "text" };
import file3 from "./demo_space/Areas/Workshop Safety.md" with { type: "text" };
import file4 from "./demo_space/Books/Moby-Dick.md" with { type: "text" };
import file5 from "./demo_space/Books/Walden.md" with { type: "text" };
import file6 from "./demo_space/How To/Back Up the Notes.md" with { type: "text" };
import file7 from "./demo_space/How To/Sharpen a Plane.md" with { type: "text" };
import file8 from "./demo_space/How To/Steam Bending.md" with { type: "text" };
import file9 from "./demo_space/Ideas/Floating Library.md" with { type: "text" };
import file10 from "./demo_space/Ideas/Night Regatta.md" with { type: "text" };
import file11 from "./demo_space/Inbox.md" with { type: "text" };
import file12 from "./demo_space/Journal/2026-11-19.md" with { type: "text" };
import file13 from "./demo_space/Journal/2026-11-20.md" with { type: "text" };
import file14 from "./demo_space/Journal/2026-11-21.md" with { type: "text" };
import file15 from "./demo_space/Journal/2026-11-23.md" with { type: "text" };
import file16 from "./demo_space/Journal/2026-11-24.md" with { type: "text" };
import file17 from "./demo_space/Journal/2026-11-25.md" with { type: "text" };
import file18 from "./demo_space/Journal/2026-11-26.md" with { type: "text" };
import file19 from "./demo_space/Journal/2026-11-27.md" with { type: "text" };
import file20 from "./demo_space/Meetings/2026-11-12 Board.md" with { type: "text" };
import file21 from "./demo_space/Meetings/2026-11-26 Course Planning.md" with { type: "text" };
import file22 from "./demo_space/People/Inés Álvarez.md" with { type: "text" };
import file23 from "./demo_space/People/Jürgen Köhler.md" with { type: "text" };
import file24 from "./demo_space/People/Mara Lind.md" with { type: "text" };
import file25 from "./demo_space/People/Søren Bæk.md" with { type: "text" };
import file26 from "./demo_space/People/Zoë Okafor.md" with { type: "text" };
import file27 from "./demo_space/People/田中さくら.md" with { type: "text" };
import file28 from "./demo_space/Projects/Grant Application.md" with { type: "text" };
import file29 from "./demo_space/Projects/Roof Hives.md" with { type: "text" };
import file30 from "./demo_space/Projects/Skiff Restoration.md" with { type: "text" };
import file31 from "./demo_space/Projects/Skiff Restoration/Planking.md" with { type: "text" };
import file32 from "./demo_space/Projects/Skiff Restoration/Rigging.md" with { type: "text" };
import file33 from "./demo_space/Projects/Tool Library.md" with { type: "text" };
import file34 from "./demo_space/Projects/Website.md" with { type: "text" };
import file35 from "./demo_space/Projects/Winter Course.md" with { type: "text" };
import file36 from "./demo_space/Reading List.md" with { type: "text" };
import file37 from "./demo_space/Recipes/Fischsuppe.md" with { type: "text" };
import file38 from "./demo_space/Recipes/カレー.md" with { type: "text" };
import file39 from "./demo_space/Reference/Glues.md" with { type: "text" };
import file40 from "./demo_space/Reference/Knots.md" with { type: "text" };
import file41 from "./demo_space/Reference/Suppliers.md" with { type: "text" };
import file42 from "./demo_space/Reference/Timber.md" with { type: "text" };
import file43 from "./demo_space/Tasks.md" with { type: "text" };
import file44 from "./demo_space/Templates/Meeting.md" with { type: "text" };
import file45 from "./demo_space/files/Plank Schedule.pdf" with { type: "bytes" };
import file46 from "./demo_space/img/skiff.png" with { type: "bytes" };
import file47 from "./demo_space/index.md" with { type: "text" };

export const demoFiles: Readonly<Record<string, string | Uint8Array>> = {
  "Archive/Old Shed.md": file0,
  "Areas/Finance.md": file1,
  "Areas/Members.md": file2,
  "Areas/Workshop Safety.md": file3,
  "Books/Moby-Dick.md": file4,
  "Books/Walden.md": file5,
  "How To/Back Up the Notes.md": file6,
  "How To/Sharpen a Plane.md": file7,
  "How To/Steam Bending.md": file8,
  "Ideas/Floating Library.md": file9,
  "Ideas/Night Regatta.md": file10,
  "Inbox.md": file11,
  "Journal/2026-11-19.md": file12,
  "Journal/2026-11-20.md": file13,
  "Journal/2026-11-21.md": file14,
  "Journal/2026-11-23.md": file15,
  "Journal/2026-11-24.md": file16,
  "Journal/2026-11-25.md": file17,
  "Journal/2026-11-26.md": file18,
  "Journal/2026-11-27.md": file19,
  "Meetings/2026-11-12 Board.md": file20,
  "Meetings/2026-11-26 Course Planning.md": file21,
  "People/Inés Álvarez.md": file22,
  "People/Jürgen Köhler.md": file23,
  "People/Mara Lind.md": file24,
  "People/Søren Bæk.md": file25,
  "People/Zoë Okafor.md": file26,
  "People/田中さくら.md": file27,
  "Projects/Grant Application.md": file28,
  "Projects/Roof Hives.md": file29,
  "Projects/Skiff Restoration.md": file30,
  "Projects/Skiff Restoration/Planking.md": file31,
  "Projects/Skiff Restoration/Rigging.md": file32,
  "Projects/Tool Library.md": file33,
  "Projects/Website.md": file34,
  "Projects/Winter Course.md": file35,
  "Reading List.md": file36,
  "Recipes/Fischsuppe.md": file37,
  "Recipes/カレー.md": file38,
  "Reference/Glues.md": file39,
  "Reference/Knots.md": file40,
  "Reference/Suppliers.md": file41,
  "Reference/Timber.md": file42,
  "Tasks.md": file43,
  "Templates/Meeting.md": file44,
  "files/Plank Schedule.pdf": file45,
  "img/skiff.png": file46,
  "index.md": file47,
};
