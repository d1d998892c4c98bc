/** The protocol revisions that `/mcp` speaks, newest first (product: both eras on one address). */

export const protocolRevisions = [
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
] as const;
