import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settingsDocument } from '../../scripts/settings-docs.ts';

it('docs/settings.md shows the settings as they are (node scripts/settings-docs.ts writes it)', async () => {
  const document = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  expect(document).toContain('`heartbeatTimeoutS`');
  expect(await settingsDocument()).toBe(document);
});
