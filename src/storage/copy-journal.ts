import { closeSync, fsyncSync, openSync } from 'node:fs';
import { JournalError } from '../domain/errors.ts';
import { openToRead } from './connection.ts';
import { makePrivate } from './files/private-file.ts';

/**
 * Copies a journal, log included, as of one instant into a new file that only its owner can use. Another process may write
 * the journal meanwhile. The copy is durable on return. Throws JournalError.
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
