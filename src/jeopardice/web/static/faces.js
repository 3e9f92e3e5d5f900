// The faces of a roll, whatever dice show them: a die of several kinds is [kind, face].

/** @returns {any[]} */
export const facesOf = (roll) =>
  roll === null || roll === undefined ? [] : [roll].flat().map((die) => (Array.isArray(die) ? die[1] : die));
