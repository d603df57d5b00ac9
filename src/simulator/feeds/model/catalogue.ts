/** Competitions and participants of the modelled world. All names are invented. */
export interface Competition {
  readonly id: number;
  readonly sport: string;
  readonly name: string;
  readonly country: string;
  /** Activity as a share of that of the most traded competition of its sport. */
  readonly liquidity: number;
  readonly teams: readonly Team[];
}

export interface Team {
  readonly id: number;
  readonly name: string;
}

type Heading = Omit<Competition, 'teams'>;

function competition(heading: Heading, teams: string): Competition {
  const { id } = heading;
  return {
    ...heading,
    teams: teams.split(', ').map((team, index) => ({ id: id * 100 + index + 1, name: team })),
  };
}

export const COMPETITIONS: readonly Competition[] = [
  competition(
    { id: 101, sport: 'fb', name: 'Albion Premier Division', country: 'GB', liquidity: 1 },
    'Northgate Rovers, Harrow Vale, Kingsferry Town, Redmoor United, Saltwick Athletic, Thornbury City, Wexley Wanderers, Ashcombe, Eastmere Albion, Brackenfield',
  ),
  competition(
    { id: 102, sport: 'fb', name: 'Liga Meridional', country: 'ES', liquidity: 0.9 },
    'Atletico Almenara, Deportivo Costa Clara, Real Valdemora, Union Sierra Alta, Racing Puertolago, Sporting Olivar, Ciudad Bermeja, Montealto',
  ),
  competition(
    { id: 103, sport: 'fb', name: 'Nordic Superleague', country: 'SE', liquidity: 0.6 },
    'Lindholm IF, Strandvik BK, Fjellby, Gransund IK, Osterhavn, Tallberga FF, Vintersund, Kvarnholmen',
  ),
  competition(
    { id: 104, sport: 'fb', name: 'Serie Adriatica', country: 'IT', liquidity: 0.8 },
    'Porto Vecchio, Castelmare, Virtus Rocca, Pietrafonte, Borgo Sereno, Valdoria',
  ),
  competition(
    { id: 201, sport: 'basket', name: 'Continental Basketball League', country: 'EU', liquidity: 0.7 },
    'Harbour City Gulls, Ironbridge Miners, Lakeside Herons, Redcliff Foxes, Stonehaven Rams, Westport Comets',
  ),
  competition(
    { id: 301, sport: 'tennis', name: 'Coastal Open', country: 'AU', liquidity: 0.8 },
    'M. Aldana, J. Brandvold, T. Castellan, P. Dvorska, K. Emerich, L. Fontaine, R. Goncalo, S. Hallberg',
  ),
  competition(
    { id: 401, sport: 'cricket', name: 'Twenty20 Shield', country: 'IN', liquidity: 1 },
    'Coral Coast Kites, Granite Hill Royals, Monsoon Chargers, Silver River Stars',
  ),
  competition(
    { id: 501, sport: 'horse', name: 'Meadow Downs', country: 'IE', liquidity: 1 },
    'Amber Lane, Bold Harvest, Clever Tide, Dusty Ledger, Evening Toll, Fair Passage, Golden Ratio, Hidden Brook',
  ),
];
