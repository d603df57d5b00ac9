import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** A folder that is removed when this process exits. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-soak-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
