import process from 'node:process';
import { afterEach, expect, it, vi } from 'vitest';
import { complain } from '../../src/cli/output/complain.ts';
import { jsonText } from '../../src/cli/output/output.ts';
import { RecordingError } from '../../src/domain/errors.ts';

afterEach(() => vi.restoreAllMocks());

it('prints an error line by line, without the control characters of a stranger', async () => {
  let stderr = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += String(chunk);
    return true;
  });
  await complain(new RecordingError('a\x1b[2Jb\u202ec.bz2, line 3: bad\nand more\u2066'));
  expect(stderr).toBe('touchline: a\ufffd[2Jb\ufffdc.bz2, line 3: bad\ntouchline: and more\ufffd\n');
});

it('writes JSON without them', () => {
  expect(jsonText({ event: 'a\x1b\u202eb' })).toBe(String.raw`{"event":"a\u001b\u202eb"}`);
  expect(jsonText([1], 2)).toBe('[\n  1\n]');
});
