import { number, someText } from './formats.ts';

/** The settings of a price source. */
export const priceSourceSchema = {
  name: {
    doc: 'http-json, websocket or file, or the path of a plugin file; mandatory',
    format: someText,
    default: '' as string,
  },
  as: {
    doc: 'name of the source in views, logs and metrics; empty: the plugin’s own name',
    format: String,
    default: '' as string,
  },
  staleAfterS: {
    doc: 'a price is absent if the source has not sent it again for this long; the time to arrive counts',
    format: number(0.1, 86_400),
    default: 30,
  },
  key: {
    doc: 'the source’s name of a selection, made of the fields {sport}, {eventId}, {eventName}, {competitionName}, {home}, {away}, {startDate}, {marketType}, {outcome}',
    format: someText,
    default: '{home} v {away}|{marketType}|{outcome}' as string,
  },
  options: { doc: 'options of the source, checked by the source', format: 'object', default: {} as object },
  match: {
    sports: { doc: 'sport codes that it prices; empty: all', format: 'texts', default: [] as string[] },
    competitions: {
      doc: 'competitions that it prices, by name or id; empty: all',
      format: 'texts',
      default: [] as string[],
    },
    marketTypes: {
      doc: 'market families that it prices; empty: all',
      format: 'texts',
      default: [] as string[],
    },
  },
  aliases: {
    doc: 'names of the exchange, each with the name that the source uses: "Man Utd" = "Manchester United"',
    format: 'object',
    default: {} as object,
  },
};
