/** Tells a daemon that does not answer from one that is not there: whoever trades an account holds its journal. */
import { TransportError } from '../../domain/errors.ts';
import { holderInWords, lockHolder } from '../../storage/files/lock.ts';
import { notedTokens } from '../admin/rendezvous.ts';
import type { Config } from '../config/load.ts';
import { journalOfTokens, lockPath, realName } from '../journal/account-paths.ts';

/** A process that holds a journal, in words, and the journal. */
export interface JournalHolder {
  readonly who: string;
  readonly journal: string;
}

interface Searched {
  /** The address at which nobody answered. */
  readonly url: string;
  /** May reject: a mistake in a file that is being edited matters to nobody here. */
  readonly config: () => Config | Promise<Config>;
}

/**
 * The same error, with the process that holds the daemon's journal if there is one: then a daemon is there, and starting another is no
 * advice. Never rejects.
 */
export async function namingHolder(error: TransportError, searched: Searched): Promise<TransportError> {
  const holder = await holderAround(searched);
  if (holder === null) return error;
  const { who, journal } = holder;
  const message =
    `${who} holds the journal ${journal}, and no daemon answers at ${searched.url}: ` +
    'it may be starting, busy or hang, or have another address (--url). touchline kill works without it';
  return new TransportError(error.outcome, message, { ...error.details, holder }, error);
}

/** The holder that an error names; null if there is none. */
export const holderIn = (error: unknown): JournalHolder | null =>
  error instanceof TransportError ? ((error.details['holder'] as JournalHolder | undefined) ?? null) : null;

/** By the configuration's journal, or by the one beside the tokens of the address. */
async function holderAround({ url, config }: Searched): Promise<JournalHolder | null> {
  const noted = URL.canParse(url) ? notedTokens(Number(new URL(url).port)) : null;
  const journals = [await journalIn(config), noted === null ? null : journalOfTokens(noted)];
  const holders = journals.flatMap((journal) => (journal === null ? [] : [holderOf(journal)]));
  return holders.find((holder) => holder !== null) ?? null;
}

async function journalIn(config: Searched['config']): Promise<string | null> {
  try {
    const { path } = (await config()).journal;
    return path === '' ? null : path;
  } catch {
    return null;
  }
}

/** A command holds a journal for a moment, and is no daemon. */
function holderOf(journal: string): JournalHolder | null {
  const holder = lockHolder(lockPath(realName(journal)));
  if (holder === null || (holder.pid !== null && holder.as === 'command')) return null;
  return { who: holderInWords(holder), journal };
}
