import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionFile } from '../../ops/dashboard/sessions.ts';
import { giveToOwner } from '../adapters/small-file.ts';

const OWNER_ALONE = 0o600;

/** The file of codes and sessions in a folder of tokens. It is replaced whole, so a reader never sees half of it. */
export function sessionFile(folder: string): SessionFile {
  const path = join(folder, 'sessions.json');
  const unfinished = `${path}.new`;
  return {
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    write(text) {
      writeFileSync(unfinished, text, { mode: OWNER_ALONE });
      giveToOwner(unfinished, folder);
      renameSync(unfinished, path);
    },
  };
}
