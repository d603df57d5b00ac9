import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { terminalSample } from '../../scripts/terminal-docs.ts';

it('README.md shows the live view as the program does (node scripts/terminal-docs.ts writes it)', () => {
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`text\n${terminalSample()}\`\`\`\n`);
});
