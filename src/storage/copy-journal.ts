import { closeSync, fsyncSync, openSync } from 'node:fs';
import { JournalError } from '../domain/errors.ts';
import { openToRead } from './connection.ts';
import { makePrivate } from './files/private-file.ts';

/**
 * Writes a journal into a new file as it is at one instant, log included, for its owner alone. Another process may be writing it. Durable
 * on return. Throws JournalError.
 */
export function copyJournal(from: string, to: string): void {
  try {
    makePrivate(to);
    const source = openToRead(from);
    try {
      source.db.prepare('VACUUM INTO ?').run(to);
    } finally {
      source.close(true);
    }
    sync(to);
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError('cannot copy the journal', { from, to }, error);
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
