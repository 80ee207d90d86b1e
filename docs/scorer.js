// What a search shows first: answers, words and the tutorial before the pages on how it is built.
var Scorer = {
  score: ([docname, , , , score]) =>
    score + (/^(questions|words|tutorial|commands|settings)$/.test(docname) ? 12 : 0)
      - (/^(python|design|benchmarks|torch-docstrings|schemas\/.*)$/.test(docname) ? 12 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
