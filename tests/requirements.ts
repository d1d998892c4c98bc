/**
 * What the product promises, as plain data: an id, the behaviour in a sentence, and where the promise stands. A test cites
 * the ids that it would go red for; `tests/repo/requirements_test.ts` fails on an id that no test cites.
 */

export interface Requirement {
  readonly behaviour: string;
  /** A page of docs/, a standard with its section, or an upstream file. */
  readonly source: string;
}

const architecture = "docs/architecture.md";

const configuration = "docs/reference/configuration.md";

export const requirements = {
  "config.precedence": {
    behaviour:
      "A flag wins over a variable, that over an older name, that over the file, that over the default",
    source: configuration,
  },
  "config.problems": {
    behaviour:
      "All problems of a configuration are told at once, by name, each with its mend, with exit code 78",
    source: configuration,
  },
  "config.refusals": {
    behaviour: "A configuration that would leave notes or files open does not start",
    source: configuration,
  },
  "config.secrets": {
    behaviour: "No secret is part of any message, and none is taken from the command line",
    source: configuration,
  },
  "config.suggestions": {
    behaviour: "A misspelt name is told together with the name that was probably meant",
    source: configuration,
  },
  "config.old-environments": {
    behaviour: "Environments of the three predecessors start unchanged, but for what is refused by name",
    source: configuration,
  },
  "config.file": {
    behaviour: "The configuration file is read strictly, with places, by a parser without any permission",
    source: configuration,
  },
  "config.shown": {
    behaviour:
      "The command `config` shows every setting as it comes out and where it came from, secrets masked",
    source: configuration,
  },
  "demo.curl": {
    behaviour: "The demonstration prints an address, a token and a curl line that works as printed",
    source: "README.md",
  },
  "demo.folder": {
    behaviour: "The demonstration has a sample folder that is listed, read and searched",
    source: "docs/folders.md",
  },
  "demo.first-minute": {
    behaviour:
      "The README's first command works with Node and npm alone, on a clean copy with an empty cache",
    source: "README.md",
  },
  "demo.clean": {
    behaviour: "The demonstration reads no setting of the machine and leaves nothing behind",
    source: "README.md",
  },
  "edits.bytes": {
    behaviour: "An edit takes every text literally and leaves every other byte of the page as it was",
    source: "docs/reference/tools.md",
  },
  "edits.version": {
    behaviour: "An edit under a version is made on that version or refused; a preview commits what it showed",
    source: "docs/decisions/0009-content-hash-versions.md",
  },
  "edits.once": {
    behaviour:
      "An edit without a version is made on the fresh page, once, whoever else writes, or not at all",
    source: "docs/decisions/0009-content-hash-versions.md",
  },
  "edits.outcome": {
    behaviour: "After an edit whose answer got lost the page is asked, and the answer says what is known",
    source: "docs/decisions/0009-content-hash-versions.md",
  },
  "edits.merge": {
    behaviour: "A write for an older version is merged cleanly, or refused with both sides of each place",
    source: "docs/reference/tools.md",
  },
  "edits.tasks": {
    behaviour: "Tasks are those that SilverBullet sees, and only the bytes of a task's state change",
    source: "docs/reference/tools.md",
  },
  "edits.frontmatter": {
    behaviour: "Of frontmatter only the bytes of the keys that were named change",
    source: "docs/reference/tools.md",
  },
  "edits.remedies": {
    behaviour: "The remedy of every refused edit, followed to the letter, leads to an edit that is made",
    source: "docs/reference/errors.md",
  },
  "documents.archives": {
    behaviour: "An office document that lies about what it holds is refused before its content is looked at",
    source: "docs/documents.md",
  },
  "documents.bounds": {
    behaviour: "A document that costs too much time or memory ends alone and leaves no process behind",
    source: "docs/documents.md",
  },
  "documents.fence": {
    behaviour: "What parses documents reaches no file, no network, no variable and no other program",
    source: "docs/documents.md",
  },
  "documents.text": {
    behaviour: "The text of a document is what a person reads, each piece with the place where it stands",
    source: "docs/documents.md",
  },
  "fence.worker": {
    behaviour:
      "The server worker reaches SilverBullet and its state folder and nothing else of machine or network",
    source: "docs/security.md",
  },
  "fence.launcher": {
    behaviour: "The launcher's thread gives up every permission once the server runs",
    source: "docs/security.md",
  },
  "fence.proxies": {
    behaviour: "Proxy variables of the environment change nothing",
    source: "docs/security.md",
  },
  "find.facts": {
    behaviour: "What stands on a page is found by its words, whatever script, sign or spelling they have",
    source: "docs/architecture.md",
  },
  "find.current": {
    behaviour:
      "A change is found by its new words and not by its old ones: ours at once, that of others in moments",
    source: "docs/architecture.md",
  },
  "find.rights": {
    behaviour: "No answer, count, cursor or notice tells anything of pages that the caller may not read",
    source: "docs/security.md",
  },
  "find.consistent": {
    behaviour:
      "However often the program is killed while it indexes, the next start answers as if nothing had been",
    source: "docs/storage.md",
  },
  "find.folder": {
    behaviour:
      "The space's folder is read where it is proved to be the same space, and nothing beside it or linked from it ever",
    source: "docs/search.md",
  },
  "find.structure": {
    behaviour:
      "Links, tags, tasks and headings are those that SilverBullet finds, in pages of any size; what differs is written down",
    source: "docs/search.md",
  },
  "find.patience": {
    behaviour:
      "While the index is filled questions are answered, and no request waits for a page, however long it is",
    source: "docs/search.md",
  },
  "find.short": {
    behaviour: "An answer says what was searched and how to get more, within three kilobytes",
    source: "docs/architecture.md",
  },
  "find.subscriptions": {
    behaviour:
      "Subscribers are told of changes as they happen, within bounds, until the server says that it ends",
    source: "docs/architecture.md",
  },
  "http.order": {
    behaviour: "Requests meet the gates in one order, and no body is read before its request is let in",
    source: "docs/reference/http.md",
  },
  "http.tokens": {
    behaviour: "Only callers that know a token get in, by the Authorization header alone",
    source: "docs/reference/http.md",
  },
  "http.rebinding": {
    behaviour: "A request under a name that is not the server's own, or from a foreign page, is refused",
    source: "docs/security.md",
  },
  "http.routes": {
    behaviour: "Routes answer exactly as written and with their own methods; everything else is 404 or 405",
    source: "docs/reference/http.md",
  },
  "http.bodies": {
    behaviour: "Request bodies are bounded, one by one and together, whatever their length claims",
    source: "docs/security.md",
  },
  "http.request-id": {
    behaviour:
      "One id follows a request from the proxy through the log to SilverBullet, and back in the answer",
    source: "docs/reference/http.md",
  },
  "http.rates": {
    behaviour: "Strangers and known callers are counted apart, so that neither keeps the other out",
    source: "docs/security.md",
  },
  "http.floods": {
    behaviour: "Slow, idle, huge and too many connections do not keep a caller out",
    source: "docs/security.md",
  },
  "rights.hidden-forms": {
    behaviour:
      "A page glob covers a name in either Unicode form, so that no hidden page is to be had by another",
    source: configuration,
  },
  "state.faults": {
    behaviour:
      "A state that cannot be written is told by kind to the log, the readiness probe, server_status and the caller",
    source: "docs/storage.md",
  },
  "clock.jumps": {
    behaviour:
      "A system clock that is set makes nothing last, end, lock or be thrown away that otherwise would not",
    source: "docs/security.md",
  },
  "http.unread-answers": {
    behaviour: "Answers that nobody takes fill only so much memory, over all connections",
    source: "docs/security.md",
  },
  "notes.memory": {
    behaviour: "Pages read at the same time fill only so much memory, however large and many they are",
    source: "docs/security.md",
  },
  "log.reader-gone": {
    behaviour: "The server goes on when nobody reads its log or its output any more, and cleans up as always",
    source: architecture,
  },
  "http.first-bytes": {
    behaviour: "What is not HTTP/1 is logged by kind with its usual cause, and none of its content",
    source: "docs/reference/http.md",
  },
  "http.ready": {
    behaviour:
      "The readiness probe fails when SilverBullet is gone or refuses the token, without saying which",
    source: "docs/reference/http.md",
  },
  "launch.drain": {
    behaviour:
      "SIGTERM and SIGINT let what is in hand finish, then the program ends with 0 within 10 seconds",
    source: "docs/architecture.md",
  },
  "launch.death": {
    behaviour:
      "A server that dies, hangs or cannot listen ends the program with 70, a wrong configuration with 78",
    source: "docs/architecture.md",
  },
  "leaks.none": {
    behaviour: "No token, no local path and no stack frame is in any answer or log line",
    source: "docs/security.md",
  },
  "files-api.doors": {
    behaviour:
      "Folders over HTTP are for known callers alone, and POST /call for direct ones on this machine",
    source: "docs/files-api.md",
  },
  "files-api.exact": {
    behaviour:
      "A query or body of the plain endpoints means one thing, or is refused with its documented code",
    source: "docs/files-api.md",
  },
  "files-api.documented": {
    behaviour: "The commands for curl in the documents do what they say",
    source: "docs/files-api.md",
  },
  "files-api.predecessor": {
    behaviour: "What personal-mcp-bridge documents holds here, but for what is documented as another thing",
    source: "docs/from-personal-mcp-bridge.md",
  },
  "files-api.same-rules": {
    behaviour: "What folders answer and refuse is the same over MCP, POST /call and GET",
    source: "docs/files-api.md",
  },
  "files-api.variables": {
    behaviour: "Every variable of personal-mcp-bridge does here what it did there, or is refused by name",
    source: "docs/from-personal-mcp-bridge.md",
  },
  "folders.contained": {
    behaviour:
      "No call of any folder tool answers what is outside of its root, hidden, or in a root of others",
    source: "docs/folders.md",
  },
  "folders.names": {
    behaviour:
      "Every file that a path can spell is read by its exact name, and no other is read in its place",
    source: "docs/folders.md",
  },
  "folders.races": {
    behaviour: "A file or folder that is swapped for a link while it is read shows nothing from outside",
    source: "docs/folders.md",
  },
  "folders.bounded": {
    behaviour:
      "Files and trees of any size are read, listed and searched in bounded memory, and nothing stays open",
    source: "docs/folders.md",
  },
  "folders.others-served": {
    behaviour: "A folder that is slow, huge or full of pipes keeps nobody else waiting",
    source: "docs/folders.md",
  },
  "folders.read-only": {
    behaviour: "Nothing under folders/ can write, and the server worker has no permission to change a root",
    source: "docs/folders.md",
  },
  "folders.faults": {
    behaviour:
      "A fault of the disk that nobody expects is an incident in the log, and none of its text is told",
    source: "docs/folders.md",
  },
  "folders.resources": {
    behaviour: "Files and folders are resources with completions, by the rules of the folder tools",
    source: "docs/folders.md",
  },
  "mcp.clients": {
    behaviour: "The official clients of both eras list and call tools, and read pages as resources",
    source: "docs/decisions/0002-mcp-library-both-eras.md",
  },
  "mcp.conformance": {
    behaviour:
      "The official conformance suite passes for both eras, but for what needs fixtures or a session",
    source: "docs/decisions/0002-mcp-library-both-eras.md",
  },
  "mcp.stateless": {
    behaviour: "A call works without a handshake, with an old session id, and after the server was killed",
    source: "docs/decisions/0002-mcp-library-both-eras.md",
  },
  "mcp.errors": {
    behaviour:
      "A failed call says in its first text what failed and what to do, and carries no structured content",
    source: "docs/reference/errors.md",
  },
  "mcp.incidents": {
    behaviour: "Of an unexpected failure a caller learns an incident id and nothing else",
    source: "docs/security.md",
  },
  "mcp.cancel": {
    behaviour: "A call stops when its caller hangs up, stops reading or cancels it, and at its deadline",
    source: "docs/architecture.md",
  },
  "mcp.definitions": {
    behaviour: "Tool definitions are small, flat and fully hinted, and change only on purpose",
    source: "docs/reference/tools.md",
  },
  "mcp.read-only": {
    behaviour: "A read-only server sends nothing that changes the space, whatever a tool is given",
    source: "docs/security.md",
  },
  "notes.move": {
    behaviour:
      "A page moves with every link that means it, over nothing, or it stays with every link as it was",
    source: "docs/decisions/0011-moves-as-journals.md",
  },
  "notes.move-crash": {
    behaviour: "A move that was interrupted anywhere is finished or undone by itself, and told once",
    source: "docs/storage.md",
  },
  "notes.no-lost-update": {
    behaviour: "Of changes made by many writers in several processes none is lost and none is made twice",
    source: "docs/decisions/0009-content-hash-versions.md",
  },
  "notes.stale-version": {
    behaviour: "A change that was meant for another version is refused, whatever size and time say",
    source: "docs/decisions/0009-content-hash-versions.md",
  },
  "notes.bytes": {
    behaviour: "What was read, written back, leaves the page as it was to the byte",
    source: "docs/decisions/0009-content-hash-versions.md",
  },
  "notes.restore": {
    behaviour: "What was deleted comes back to the byte, pages and attachments, and over nothing",
    source: "docs/decisions/0010-trash-and-history-by-default.md",
  },
  "notes.history": {
    behaviour: "A change is on record before it is made, and what a crash leaves open is found out",
    source: "docs/storage.md",
  },
  "notes.conflicts": {
    behaviour: "Two versions of one page are found in every spelling and settled so that neither is lost",
    source: "docs/decisions/0010-trash-and-history-by-default.md",
  },
  "notes.page-history": {
    behaviour:
      "Every change of a page is listed with its time, client, tool and diff, through moves and deletions",
    source: "docs/storage.md",
  },
  "notes.undo": {
    behaviour:
      "A change is taken back to the byte, or together with what was edited since, and never over it",
    source: "docs/decisions/0010-trash-and-history-by-default.md",
  },
  "notes.purge": {
    behaviour: "What was deleted for good is nowhere in the state folder but for its hash",
    source: "docs/storage.md",
  },
  "notes.hidden": {
    behaviour: "A hidden page, its copies and its trash are answered as pages that are not there",
    source: "docs/security.md",
  },
  "notes.protected": {
    behaviour: "An assistant adds and changes nothing that runs or configures, unless the operator allows it",
    source: "docs/security.md",
  },
  "oauth.clients": {
    behaviour:
      "Every assistant in wide use signs in from its address alone, in the way in which it is known to",
    source: "docs/security.md",
  },
  "oauth.discovery": {
    behaviour: "The discovery documents have every value that clients decide by, and exist only with OAuth",
    source: "RFC 8414, RFC 9728",
  },
  "oauth.redirects": {
    behaviour: "Nobody is ever sent to an address that is not one of the client's own",
    source: "docs/security.md",
  },
  "oauth.codes": {
    behaviour:
      "A code is good for a minute, once, for its client, its address and its verifier; a replay ends all",
    source: "docs/security.md",
  },
  "oauth.refresh": {
    behaviour:
      "Refresh tokens rotate; a repeat within the grace gets the same pair, a later one ends the grant",
    source: "docs/security.md",
  },
  "oauth.lasting": {
    behaviour:
      "What a client was given outlasts restarts and is shared by every process on the same state folder",
    source: "docs/storage.md",
  },
  "oauth.owner-secret": {
    behaviour: "The owner's secret can be guessed at only slowly, and nobody can lock the owner out for good",
    source: "docs/security.md",
  },
  "oauth.consent": {
    behaviour:
      "The page says who asks, where it goes back to and what it gets, and gives no more than was chosen",
    source: "docs/security.md",
  },
  "oauth.rights": {
    behaviour:
      "Two clients with different rights each see and can do exactly their own, changed or ended at once",
    source: "docs/security.md",
  },
  "oauth.attacks": {
    behaviour:
      "Malformed, repeated, oversized and forged requests are refused without a trace of their content",
    source: "docs/security.md",
  },
  "oauth.secrets": {
    behaviour: "No secret, token or code is in the state folder, in a log line, in an address or in an error",
    source: "docs/security.md",
  },
  "oauth.audit": {
    behaviour: "Every registration, approval, refusal, token, refresh and revocation is one line of the log",
    source: "docs/security.md",
  },
  "oauth.accounts": {
    behaviour:
      "A client may have a SilverBullet account of its own, kept sealed, renewed, and never silently another",
    source: "docs/signing-in.md",
  },
  "oauth.conformance": {
    behaviour: "The official suite's scenarios for authorization servers pass",
    source: "docs/decisions/0006-own-authorization-server.md",
  },
  "owner.door": {
    behaviour:
      "Only the owner's secret opens the owner's page, for twelve hours, with one count of tries for both pages",
    source: "docs/owner-page.md",
  },
  "owner.clients": {
    behaviour:
      "The owner sees who is connected with which rights, takes away at once, and gives more with the secret alone",
    source: "docs/owner-page.md",
  },
  "owner.changes": {
    behaviour:
      "The owner sees who changed what and what was refused, and undoes a change knowing what was edited since",
    source: "docs/owner-page.md",
  },
  "owner.trash": {
    behaviour:
      "The owner brings deleted pages back, and empties the trash of nothing but what the page showed",
    source: "docs/owner-page.md",
  },
  "owner.forms": {
    behaviour:
      "Nothing is done on the owner's page but by a form of that very session, sent from that very page",
    source: "docs/owner-page.md",
  },
  "owner.passkeys": {
    behaviour:
      "A passkey that was made with the secret opens the owner's page and nothing else, until it or the secret ends",
    source: "docs/owner-page.md",
  },
  "owner.strangers": {
    behaviour:
      "Names, texts and addresses of strangers are shown on the owner's page as text, and hidden pages never",
    source: "docs/owner-page.md",
  },
  "jwt.provider": {
    behaviour:
      "Tokens of the operator's identity provider count by its keys, issuer, audience, times and claims alone",
    source: "docs/security.md",
  },
  "tokens.command": {
    behaviour:
      "The command `token` makes a strong token and the line that accepts it by its hash, limited as was asked",
    source: "docs/static-tokens.md",
  },
  "repo.ci": {
    behaviour:
      "The checks of a change fail when anything in them fails, and end with one plain line of counts",
    source: ".ci/run",
  },
  "repo.layers": {
    behaviour: "A file imports its own room or a lower rank, never an equal one",
    source: architecture,
  },
  "repo.fences": { behaviour: "What only certain files may do, no other file does", source: architecture },
  "repo.size": { behaviour: "No source file grows beyond what can be read in one go", source: architecture },
  "repo.docs": {
    behaviour: "What a page of docs/ refers to exists, and so does where its links lead",
    source: architecture,
  },
  "repo.generated": {
    behaviour: "A generated file is exactly what the code and the files it comes from say",
    source: architecture,
  },
  "repo.storage": {
    behaviour: "Every table and column of the state file is explained in docs/storage.md",
    source: "docs/storage.md",
  },
  "repo.words": {
    behaviour: "Nothing in the project belongs to one machine or one registry",
    source: architecture,
  },
  "silverbullet.torn-reads": {
    behaviour: "A page that is being written is never read as empty or cut",
    source: "docs/decisions/0009-content-hash-versions.md",
  },
  "silverbullet.outcomes": {
    behaviour: "Whatever breaks in the middle of a change, what is answered is what became of the page",
    source: "src/core/page_store.ts",
  },
  "silverbullet.dialect": {
    behaviour:
      "A server counts as comparing versions only when it was proved to, and no proof writes anything",
    source: "docs/decisions/0009-content-hash-versions.md",
  },
  "silverbullet.names": {
    behaviour: "A hostile page name is refused before any request, or is exactly that file",
    source: "src/core/page_name.ts",
  },
  "silverbullet.events": {
    behaviour:
      "A change by anyone is told as it happens, where the server tells it, and every gap asks for a new look",
    source: "src/silverbullet/events.ts",
  },
  "tasks.permissions": {
    behaviour: "From source the program has the permissions of the binary",
    source: architecture,
  },
  "completions.shells": {
    behaviour: "The shells complete every command, flag and setting of the tables",
    source: "docs/shell.md",
  },
  "completions.manual": {
    behaviour: "The manual page is made from the tables of the code and shown without a warning",
    source: "docs/man/silverbridge.1",
  },
  "doctor.checks": {
    behaviour: "The command `doctor` tells of everything that goes wrong in practice, each with its mend",
    source: "docs/doctor.md",
  },
  "doctor.traces": {
    behaviour: "The command `doctor` leaves no page behind, and writes nothing where it must not",
    source: "docs/doctor.md",
  },
  "init.writes": {
    behaviour:
      "The command `init` writes one file that works, for its owner alone, whole or not at all, and over none",
    source: "docs/init.md",
  },
  "init.secrets": {
    behaviour: "The command `init` shows no secret and takes none from the command line",
    source: "docs/init.md",
  },
  "init.device": {
    behaviour:
      "Where SilverBullet has the device flow, `init` gets a token by it, and shows no link that leads elsewhere",
    source: "docs/decisions/0023-init-signs-in-as-silverbullets-own-client.md",
  },
  "state.backup": {
    behaviour:
      "A backup is one whole moment of a running server, and a restore changes nothing or everything",
    source: "docs/backup.md",
  },
  "state.prune": {
    behaviour: "The command `state prune` takes away what the settings say and nothing else",
    source: "docs/backup.md",
  },
  "state.schema": {
    behaviour: "A state of a newer program is left alone, and one of an older program brought up to date",
    source: "docs/backup.md",
  },
  "state.shown": {
    behaviour: "The command `state` shows what is kept without changing it",
    source: "docs/backup.md",
  },
  "stdio.clients": {
    behaviour: "Clients of both eras start the program and use every tool through standard input and output",
    source: "docs/clients/stdio.md",
  },
  "stdio.subscriptions": {
    behaviour: "Over stdio the old era subscribes too, and each client is told only of what it may read",
    source: "docs/clients/stdio.md",
  },
  "stdio.together": {
    behaviour: "Several processes on one state folder lose no update of each other",
    source: "docs/clients/stdio.md",
  },
  "stdio.wire": {
    behaviour:
      "Standard output carries JSON-RPC messages alone, one a line, and whatever comes in is bounded and answered",
    source: "docs/clients/stdio.md",
  },
  "stdio.end": {
    behaviour: "The end of the input or a signal ends the program with 0 once calls in hand are answered",
    source: "docs/clients/stdio.md",
  },
  "stdio.rights": {
    behaviour:
      "The caller on stdio is the operator, within the ceiling, behind the same fence and without a listener",
    source: "docs/clients/stdio.md",
  },
  "terminal.colours": {
    behaviour: "Colours and lines that change are for terminals alone, and no colours where NO_COLOR is set",
    source: "docs/shell.md",
  },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;

/** Says, inside a test, which promises it would go red for. Does nothing: the citation is found by reading the test. */
export function cites(..._ids: readonly RequirementId[]): void {}
