import { describe, expect, it } from 'vitest';
import { debuggerOpenedBy } from '../../../src/app/adapters/debugger.ts';

const NONE = { url: undefined, nodeOptions: '', options: [] };

describe('a debugger', () => {
  it('is not open in a plain process', () => {
    expect(debuggerOpenedBy(NONE)).toBeNull();
  });

  it.each([
    '--inspect',
    '--inspect=0.0.0.0:9229',
    '--inspect-brk',
    '--inspect_brk=9229',
    '--inspect-wait',
    '--inspect-wait=127.0.0.1:0',
    '--inspect-brk-node',
  ])('is opened by %s, in NODE_OPTIONS or as an option', (option) => {
    expect(debuggerOpenedBy({ ...NONE, nodeOptions: `--max-semi-space-size=4 ${option}` })).toBe(
      `NODE_OPTIONS has ${option}`,
    );
    expect(debuggerOpenedBy({ ...NONE, nodeOptions: `"${option}" --no-warnings` })).toContain(option);
    expect(debuggerOpenedBy({ ...NONE, options: ['--no-warnings', option] })).toBe(
      `Node was started with ${option}`,
    );
  });

  it.each([
    '--inspect-port=9229',
    '--inspect-publish-uid=http',
    '--disable-sigusr1',
    '--max-semi-space-size=4',
    '--title=no--inspect',
  ])('is not opened by %s', (option) => {
    expect(debuggerOpenedBy({ ...NONE, nodeOptions: option, options: [option] })).toBeNull();
  });

  it('is seen however it was opened', () => {
    expect(debuggerOpenedBy({ ...NONE, url: 'ws://127.0.0.1:9229/0f2c' })).toBe(
      'Node serves one at 127.0.0.1:9229',
    );
  });
});
