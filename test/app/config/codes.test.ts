import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/load.ts';
import { validateConfig } from '../../../src/app/config/validate.ts';

const validated = (settings: Readonly<Record<string, string>>) =>
  validateConfig(loadConfig({ files: [], environment: {}, settings }));

it.each([
  ['universe.sports', 'soccer', /^--set: universe\.sports: "soccer" is not known; known are fb, fb_ht/],
  ['universe.marketTypes', '1x2', /universe\.marketTypes: "1x2" is not known; known are wdw, /],
  ['strategy.match.sports', 'soccer', /strategy\.match\.sports: "soccer" is not known/],
  ['risk.allow.marketTypes', '["1x2"]', /risk\.allow\.marketTypes: "1x2" is not known/],
])('an unknown code in %s is an error that names the known ones', async (key, code, message) => {
  await expect(validated({ [key]: code })).rejects.toThrow(message);
  await expect(validated({ [key]: code, 'exchange.otherCodes': 'soccer,1x2' })).resolves.toBeDefined();
});

it('names every unknown code at once', async () => {
  const settings = { 'universe.sports': 'fb,soccer,hockey', 'universe.marketTypes': 'wdw,1x2' };
  await expect(validated(settings)).rejects.toThrow(/soccer[^]*hockey[^]*1x2/);
});
