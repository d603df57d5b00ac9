/** `npm run fix`: applies the linter's automatic fixes, then formats everything. */
import { spawnSync } from 'node:child_process';

const COMMANDS = [
  ['node_modules/oxlint/bin/oxlint', '--fix', '.'],
  ['node_modules/oxfmt/bin/oxfmt', '.'],
];

const codes = COMMANDS.map((command) => spawnSync(process.execPath, command, { stdio: 'inherit' }).status);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
