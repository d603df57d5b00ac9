/** Competitions and participants of the modelled world. All names are invented. */
export interface Competition {
  readonly id: number;
  readonly sport: string;
  readonly name: string;
  readonly country: string;
  readonly teams: readonly Team[];
}

export interface Team {
  readonly id: number;
  readonly name: string;
}

function competition(id: number, sport: string, name: string, country: string, teams: string): Competition {
  return {
    id,
    sport,
    name,
    country,
    teams: teams.split(', ').map((team, index) => ({ id: id * 100 + index + 1, name: team })),
  };
}

export const COMPETITIONS: readonly Competition[] = [
  competition(
    101,
    'fb',
    'Albion Premier Division',
    'GB',
    'Northgate Rovers, Harrow Vale, Kingsferry Town, Redmoor United, Saltwick Athletic, Thornbury City, Wexley Wanderers, Ashcombe, Eastmere Albion, Brackenfield',
  ),
  competition(
    102,
    'fb',
    'Liga Meridional',
    'ES',
    'Atletico Almenara, Deportivo Costa Clara, Real Valdemora, Union Sierra Alta, Racing Puertolago, Sporting Olivar, Ciudad Bermeja, Montealto',
  ),
  competition(
    103,
    'fb',
    'Nordic Superleague',
    'SE',
    'Lindholm IF, Strandvik BK, Fjellby, Gransund IK, Osterhavn, Tallberga FF, Vintersund, Kvarnholmen',
  ),
  competition(
    104,
    'fb',
    'Serie Adriatica',
    'IT',
    'Porto Vecchio, Castelmare, Virtus Rocca, Pietrafonte, Borgo Sereno, Valdoria',
  ),
  competition(
    201,
    'basket',
    'Continental Basketball League',
    'EU',
    'Harbour City Gulls, Ironbridge Miners, Lakeside Herons, Redcliff Foxes, Stonehaven Rams, Westport Comets',
  ),
  competition(
    301,
    'tennis',
    'Coastal Open',
    'AU',
    'M. Aldana, J. Brandvold, T. Castellan, P. Dvorska, K. Emerich, L. Fontaine, R. Goncalo, S. Hallberg',
  ),
  competition(
    401,
    'cricket',
    'Twenty20 Shield',
    'IN',
    'Coral Coast Kites, Granite Hill Royals, Monsoon Chargers, Silver River Stars',
  ),
  competition(
    501,
    'horse',
    'Meadow Downs',
    'IE',
    'Amber Lane, Bold Harvest, Clever Tide, Dusty Ledger, Evening Toll, Fair Passage, Golden Ratio, Hidden Brook',
  ),
];
