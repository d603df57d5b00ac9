import { Command } from 'commander';
import { balanceCommand, heartbeatsCommand, positionCommand } from './account.ts';
import { eventsCommand, offersCommand } from './market.ts';
import { closeCommand, flattenCommand, orderCommand, ordersCommand } from './orders.ts';

/** `touchline exchange`: asks the configured exchange itself; no daemon is needed. */
export function exchangeGroup(): Command {
  const group = new Command('exchange').description(
    'ask the exchange itself, with or without a daemon: events, prices, orders, balance; close orders',
  );
  const commands = [
    eventsCommand(),
    offersCommand(),
    balanceCommand(),
    positionCommand(),
    ordersCommand(),
    orderCommand(),
    closeCommand(),
    flattenCommand(),
    heartbeatsCommand(),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
