/** What the child process that reads a document may use, and how much of it goes on at once. */

export const extractLimits = {
  /** Children at once, and what may wait for one of them. */
  atOnce: 2,
  maxWaiting: 32,
  maxWaitingBytes: 67_108_864,
  /** Resident memory of a child; beyond it the child ends itself. */
  maxResidentBytes: 402_653_184,
  /** Milliseconds between two looks at it. */
  watchMs: 10,
  /** The most that a reading may take before it ends by itself with what it has. */
  maxSoftMs: 20_000,
  /** Beyond its own time: what starting, a single long step and answering may take. Then the child is killed. */
  graceMs: 5000,
  /** A child never lives longer, whatever became of its parent. */
  maxLifeMs: 30_000,
  /** Bytes of an answer. */
  maxAnswerBytes: 67_108_864,
  /** Bytes of what precedes the document. */
  maxHeadBytes: 65_536,
} as const;
