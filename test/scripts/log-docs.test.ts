import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { logsDocument } from '../../scripts/log-docs.ts';
import { LOG_EVENTS } from '../../src/ports/log-events/index.ts';

it('docs/logs.md shows the catalogue as it is (node scripts/log-docs.ts writes it)', async () => {
  const document = readFileSync(new URL('../../docs/logs.md', import.meta.url), 'utf8');
  for (const name of Object.keys(LOG_EVENTS)) expect(document).toContain(`| \`${name}\``);
  expect(await logsDocument()).toBe(document);
});
