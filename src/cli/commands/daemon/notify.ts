import process from 'node:process';
import { Command } from 'commander';
import { VERSION } from '../../../app/adapters/own-files.ts';
import { systemClock } from '../../../app/adapters/system-clock.ts';
import { randomIds } from '../../../app/adapters/this-machine.ts';
import { EXIT } from '../../../app/run/exit-codes.ts';
import { ConfigError } from '../../../domain/errors.ts';
import { type ConfigOptions, configOf, withConfigOptions } from '../../input/exchange-command.ts';
import { printAll, renderTable } from '../../output/output.ts';

/** `touchline notify`: the notifications of a configuration. */
export function notifyCommand(): Command {
  const test = new Command('test').description('send a test notification through each configured channel');
  return new Command('notify')
    .description('try the notifications')
    .addCommand(withConfigOptions(test).action(sendTests));
}

async function sendTests(options: ConfigOptions): Promise<void> {
  const { openChannels } = await import('../../../app/notify/open-channels.ts');
  const { sendTest } = await import('../../../app/notify/send-test.ts');
  const { values } = await configOf(options);
  const channels = openChannels(values.notify, process.env, systemClock);
  if (channels.length === 0)
    throw new ConfigError('no channel is configured: set notify.webhookUrl or notify.telegramChat');
  const { restUrl } = values.exchange;
  const exchange = restUrl === '' ? 'no exchange' : new URL(restUrl).host;
  const run = { runId: 'test', version: VERSION, mode: values.mode, exchange };
  const tried = await sendTest(channels, run, { clock: systemClock, ids: randomIds });
  await printAll(renderTable(tried.map(({ channel, fault }) => ({ channel, result: fault ?? 'sent' }))));
  process.exitCode = tried.every(({ fault }) => fault === null) ? EXIT.ok : EXIT.unavailable;
}
