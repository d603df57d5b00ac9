import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeEach, describe, expect, it } from 'vitest';
import { commandParser } from '../support/command-parser.ts';
import { PROJECT_ROOT } from '../support/process.ts';

/** A command line that a page shows, without what the shell does with it. */
interface Shown {
  readonly page: string;
  readonly words: readonly string[];
}

const PAGES = ['README.md', 'PACKAGE.md', ...globSync('{docs,observability}/**/*.md', { cwd: PROJECT_ROOT })];

const SHELL_BLOCK = /^ *```sh[^\n]*\n([^]*?)^ *```/gm;

/** The words behind `touchline`, up to a comment or what belongs to the shell. */
const COMMAND = /(?:^ *|&& )(?:[A-Z_]+=\S+ )?(?:npx )?touchline ([^#|&>\n]+)/gm;

/** A quoted word may hold blanks. */
const WORD = /"[^"]*"|'[^']*'|\S+/g;

/** A command within a command: `$(date +%F)`. */
const INNER = /\$\([^)]*\)/g;

const SHOWN: readonly Shown[] = PAGES.flatMap((page) => {
  const text = readFileSync(join(PROJECT_ROOT, page), 'utf8');
  return Array.from(text.matchAll(SHELL_BLOCK)).flatMap(([, block = '']) =>
    Array.from(
      block.replaceAll('\\\n', ' ').replaceAll(INNER, 'PRINTED').matchAll(COMMAND),
      ([, words = '']) => ({
        page,
        words: (words.match(WORD) ?? []).map((word) => word.replaceAll(/^["']|["']$/g, '')),
      }),
    ),
  );
});

/** Commands that use real money, and refuse to without the switch. */
const SPENDING = ['run', 'smoke', 'prove'];

/** Whoever says so to every command makes every configuration live. */
const LIVE_FILE = 'live.toml';

describe('the pages', () => {
  let program: Command;
  beforeEach(async () => {
    program = await commandParser();
  });

  it('show commands', () => expect(SHOWN.length).toBeGreaterThan(40));

  it.each(SHOWN)('show a command that exists: $page, $words', async ({ words }) => {
    await expect(program.parseAsync(['node', 'touchline', ...words])).resolves.toBe(program);
  });

  it.each(SHOWN.filter(({ words: [name = ''] }) => SPENDING.includes(name)))(
    'say --live where a command uses real money: $page, $words',
    ({ words }) =>
      expect(words.includes('--live')).toBe(words.includes(LIVE_FILE) || words.includes('--live')),
  );
});
