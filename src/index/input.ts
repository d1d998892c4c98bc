/** What the index is told: files of the space and of folders, and what is in them. */

export interface FileInput {
  /** The space (`""`), or the alias of a folder root. */
  readonly source: string;
  /** With extension, as listed. */
  readonly path: string;
  /** Of the bytes on the server, whatever was taken out of them. */
  readonly hash: string;
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly modified: number;
  readonly created: number | null;
  readonly content: FileContent;
}

export type FileContent =
  /** A page: SilverBullet's Markdown. */
  | { readonly format: "page"; readonly text: string }
  /** Any other text, such as what a document says; a label (`p.3`, `slide 2`) names what begins at its line. */
  | { readonly format: "plain"; readonly text: string; readonly labels?: readonly Label[] }
  /** Known by its name alone. */
  | { readonly format: "name" };

export interface Label {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** Says whether a caller may know of a file. Give the same function for the same rights: what it said is kept. */
export type Visible = (path: string, source: string) => boolean;

export const spaceSource = "";
