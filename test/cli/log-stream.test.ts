import { expect, it } from 'vitest';
import { prettyFor } from '../../src/cli/output/log-stream.ts';

const LINE =
  '{"level":"warn","time":"2026-03-01T10:20:30.456Z","version":"0.1.0","runId":"7-0a1b2c3d","part":"orders","logEvent":"heartbeat_lost","reason":"it ran out","msg":"heartbeat lost"}\n';

it('leaves the lines of a file or pipe as JSON', async () => {
  expect(await prettyFor({ isTTY: false })).toBeNull();
});

it('writes one short line for a terminal, without the fields that every line has', async () => {
  const pretty = await prettyFor({ isTTY: true, hasColors: () => false });
  const line = pretty?.(LINE) ?? '';
  expect(line).toMatch(
    /^\[\d\d:\d\d:30\.456\] WARN: heartbeat lost \{"part":"orders","reason":"it ran out"\}\n$/,
  );
});

it('writes no character that changes the direction of text, and none that begins an escape', async () => {
  const pretty = await prettyFor({ isTTY: true, hasColors: () => false });
  const line = pretty?.(LINE.replace('ran out', String.raw`ran\u202e\u001b[2J\u009bout`)) ?? '';
  expect(line).toContain(String.raw`ran\u202e\u001b[2J\u009bout`);
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});
