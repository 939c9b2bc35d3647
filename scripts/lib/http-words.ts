/** Words of HTTP that mean nothing to who calls in process or types a command. */
export const HTTP_WORDS =
  /\b(?:HTTP|[Hh]eaders?|[Rr]equest bod(?:y|ies)|[Qq]uery parameters?|[Pp]aths?|URLs?|status [1-5]\d\d|[Bb]earer|ETag|If-(?:None-)?Match|Idempotency-Key|Retry-After|Content-Types?|Authorization|[Mm]edia type|X-Request-Id|Allow)\b/;
