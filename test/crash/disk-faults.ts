/**
 * Loaded into a daemon before anything else (`node --import`): breaks its journal at SIGWINCH. `DISK_FAULT` selects the
 * fault on the write-ahead log: `full` and `unsyncable` as in `test/support/fd-faults.ts`; with `late-error` the commit
 * reaches the disk and is reported as failed. The product does not know of it.
 */
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { breakFile, type FileFault } from '../support/fd-faults.ts';

const fault = process.env['DISK_FAULT'] as FileFault | 'late-error';
const journal = process.env['DISK_FAULT_FILE'] ?? '';
let late = false;

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function patchedExec(this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  if (late && sql === 'COMMIT') throw new Error('disk I/O error');
};

process.on('SIGWINCH', () => {
  if (fault === 'late-error') late = true;
  else if (breakFile(`${journal}-wal`, fault) === 0) throw new Error('the journal is not open');
});
