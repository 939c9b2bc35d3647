/** How often a race is run: as often as `REEVE_RACE_ROUNDS` says, or else as is quick enough for every run. */
export function raceRounds(usual: number): number {
  return Number(process.env.REEVE_RACE_ROUNDS ?? usual);
}
