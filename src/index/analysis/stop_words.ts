/** English words that say nothing about a page. Left out of a search unless it has no others. */

export const stopWords: ReadonlySet<string> = new Set(
  ("a about after all also am an and any are as at be because been before but by can could did do does for from " +
    "had has have he her here him his how i if in into is it its just me more most my no not of on once only or " +
    "our out over own same she so some such than that the their them then there these they this those to too " +
    "under until up us very was we were what when where which while who whom whose why will with would you your")
    .split(" "),
);
