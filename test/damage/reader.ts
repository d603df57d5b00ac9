import { type Row, type Value, walkIndex, walkTable } from './b-tree.ts';
import { type Pages, pagesOf, Unreadable, Unsound } from './pages.ts';

/** The files of a journal that a process left; null for a missing file. */
export interface JournalFiles {
  readonly journal: Buffer | null;
  readonly log: Buffer | null;
  readonly mark: Buffer | null;
}

/** The result of an independent reader. */
export interface Contents {
  /** Every record, kept ones included, by its seq. All its columns form one text. */
  readonly records: ReadonlyMap<number, string>;
  /** The root, from which the chains of the records start. */
  readonly root: string;
  /** The entries of the index over kinds. */
  readonly index: string;
  /** The text of the schema, and the other parts of the first page that SQLite relies on. */
  readonly schema: string;
  /** A part of the trees cannot be read, or a search cannot find it. */
  readonly isBroken: boolean;
}

/**
 * `damaged`: a record at or before the mark is missing or altered, a later one is altered, or nothing can be read.
 * `unsound`: every such record is there, but the file's structure has changed, so that a program may rightly refuse it.
 * `index`: everything is sound except the index over kinds.
 */
export type Verdict = 'whole' | 'index' | 'damaged' | 'unsound';

/** Throws Unsound when the file, or its schema, has an invalid form. */
export function contentsOf({ journal, log }: JournalFiles): Contents {
  if (journal === null || journal.length === 0) throw new Unreadable('there is no file');
  const pages = pagesOf(journal, log);
  const { roots, schema } = schemaOf(pages);
  const [records, kept, root] = ['journal', 'kept', 'root'].map((name) =>
    walkTable(pages, roots.get(name) ?? 0),
  );
  const index = walkIndex(pages, roots.get('journal_by_kind') ?? 0);
  const all = [...(kept?.rows ?? []), ...(records?.rows ?? [])];
  const tables = [records, kept, root];
  return {
    records: new Map(all.map((row) => [Number(row.rowId), textOf(row)])),
    root: (root?.rows ?? []).map(textOf).join(),
    index: `${index.broken} ${index.rows.map(({ values }) => values.join('|')).join('\n')}`,
    schema: `${pages.page(1).readUInt32BE(60)} ${schema}`,
    isBroken: tables.some((walk) => walk === undefined || walk.broken > 0 || walk.isUnordered),
  };
}

const textOf = ({ rowId, values }: Row): string => [rowId, ...values].join('|');

/** The tree of the schema begins on the first page. Its rows name the roots of the other trees. */
function schemaOf(pages: Pages): { readonly roots: ReadonlyMap<string, number>; readonly schema: string } {
  const { rows, broken } = walkTable(pages, 1);
  if (broken > 0) throw new Unsound('the schema cannot be read');
  const nameOf = (value: Value | undefined): string => String(value).replace(/^text /, '');
  const roots = rows.map(({ values: [, name, , root] }) => [nameOf(name), Number(root)] as const);
  return { roots: new Map(roots), schema: rows.map(textOf).join('\n') };
}

/** The seq in a mark, read without checks: these files are known to be sound. */
export function markedSeq({ mark }: JournalFiles): number {
  const { seq } = JSON.parse(mark?.toString('utf8').trim() ?? '') as { readonly seq: number };
  return seq;
}

/**
 * Judges damaged files by the content of the sound ones. `isMarked` states whether the damaged ones still have a
 * credible mark. Without one, nothing reveals missing records at the end.
 */
export function verdictOn(sound: Contents, seq: number, damaged: JournalFiles, isMarked: boolean): Verdict {
  const found = readUnlessUnsound(damaged);
  if (typeof found === 'string') return found;
  const last = Math.max(0, ...found.records.keys());
  const isLost = ([each, text]: readonly [number, string]): boolean =>
    found.records.get(each) !== text && (each <= last || (isMarked && each <= seq));
  if ([...sound.records].some(isLost) || found.root !== sound.root) return 'damaged';
  if (found.isBroken || found.schema !== sound.schema) return 'unsound';
  return found.index === sound.index || last < Math.max(...sound.records.keys()) ? 'whole' : 'index';
}

function readUnlessUnsound(files: JournalFiles): Contents | 'damaged' | 'unsound' {
  try {
    return contentsOf(files);
  } catch (error) {
    if (!(error instanceof Unsound)) throw error;
    return error instanceof Unreadable ? 'damaged' : 'unsound';
  }
}
