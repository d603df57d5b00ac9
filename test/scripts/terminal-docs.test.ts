import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGES, terminalSample } from '../../scripts/terminal-docs.ts';

it.each(Object.entries(PAGES))(
  '%s shows the live view as the program does at %j (node scripts/terminal-docs.ts writes it)',
  (name, size) => {
    const page = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`text\n${terminalSample(size)}\`\`\`\n`);
  },
);
