import { type Row, type Value, walkIndex, walkTable } from './b-tree.ts';
import { type Pages, pagesOf, Unreadable, Unsound } from './pages.ts';

/** The files of a journal that a process left; null for one that is not there. */
export interface JournalFiles {
  readonly journal: Buffer | null;
  readonly log: Buffer | null;
  readonly mark: Buffer | null;
}

/** What an independent reader finds in them. */
export interface Contents {
  /** Every record, kept ones included, by its seq: all of its columns as one text. */
  readonly records: ReadonlyMap<number, string>;
  /** The root, from which the chains of the records hang. */
  readonly root: string;
  /** The entries of the index over kinds. */
  readonly index: string;
  /** Text of the schema, and what else of the first page SQLite goes by. */
  readonly schema: string;
  /** Something in the trees cannot be read, or not be found by a search. */
  readonly isBroken: boolean;
}

/**
 * `damaged`: a record at or before the mark is missing or altered, or one after it is altered; or nothing can be read. `unsound`: every
 * such record is there, but the file's structure is not what it was, so that a program may rightly refuse it. `index`: all is
 * sound but for the index over kinds.
 */
export type Verdict = 'whole' | 'index' | 'damaged' | 'unsound';

/** Throws Unsound when the file, or its schema, is not what it must be. */
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

/** The tree of the schema begins on the first page: its rows name the others' roots. */
function schemaOf(pages: Pages): { readonly roots: ReadonlyMap<string, number>; readonly schema: string } {
  const { rows, broken } = walkTable(pages, 1);
  if (broken > 0) throw new Unsound('the schema cannot be read');
  const nameOf = (value: Value | undefined): string => String(value).replace(/^text /, '');
  const roots = rows.map(({ values: [, name, , root] }) => [nameOf(name), Number(root)] as const);
  return { roots: new Map(roots), schema: rows.map(textOf).join('\n') };
}

/** The seq that a mark tells, which is taken at its word: these files are known to be sound. */
export function markedSeq({ mark }: JournalFiles): number {
  const { seq } = JSON.parse(mark?.toString('utf8').trim() ?? '') as { readonly seq: number };
  return seq;
}

/**
 * Judges damaged files by what the sound ones hold. `isMarked` tells whether the damaged ones still have a mark that can be believed:
 * else nothing tells that records at the end are missing.
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
