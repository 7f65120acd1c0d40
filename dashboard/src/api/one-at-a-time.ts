/** Makes a function whose calls share the run that is under way. */
export function oneAtATime<Given extends unknown[], Result>(run: (...given: Given) => Promise<Result>) {
  let underWay: Promise<Result> | null = null
  return (...given: Given): Promise<Result> => {
    underWay ??= run(...given).finally(() => {
      underWay = null
    })
    return underWay
  }
}
