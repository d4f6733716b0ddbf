--[[
  Decides requests of one credential that came together, as if one after the other: burst window and month
  together, by the clock of Redis. A refusal counts nothing, so that a burst refusal never consumes quota.

  KEYS[1]  hash of the credential: per surface the window's end (<surface>:end, ms) and count (<surface>:n),
           the month that is counted (month, as year * 12 + month - 1) and the requests in it (used)
  ARGV[1]  surface: read or ingest
  ARGV[2]  requests per window
  ARGV[3]  window in milliseconds
  ARGV[4]  requests per month
  ARGV[5]  1 where the requests count against the month, else 0
  ARGV[6]  month that ARGV[7] and ARGV[8] are of; -1 where it is not known
  ARGV[7]  requests that Postgres knows of that month with those in ARGV[8], for when Redis has lost them; -1 where
           Postgres has not been asked
  ARGV[8]  requests of the month in ARGV[6] that were let through while Redis was away, less those given back then, and
           are not in it yet; may be negative
  ARGV[9]  requests, at least 1

  Output   { consumed, verdict, remaining, ms until the window ends, used, month, now in ms }
           consumed: so many of the requests, the first ones; remaining and used are those after them
           verdict on the others 0: there are none; 1: window exhausted; 2: month exhausted;
           3: nothing done, the month's count is missing here: ask again with ARGV[6] and ARGV[7]
]]
local clock = redis.call('TIME')
local seconds = tonumber(clock[1])
local now = seconds * 1000 + math.floor(tonumber(clock[2]) / 1000)

-- Year and month of the day (proleptic Gregorian, UTC): Howard Hinnant's civil_from_days.
local days = math.floor(seconds / 86400) + 719468
local era = math.floor(days / 146097)
local doe = days - era * 146097
local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
local mp = math.floor((5 * (doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))) + 2) / 153)
local monthOfYear = mp < 10 and mp + 2 or mp - 10 -- 0 is January
local month = (yoe + era * 400 + (monthOfYear <= 1 and 1 or 0)) * 12 + monthOfYear

local surface = ARGV[1]
local limit = tonumber(ARGV[2])
local window = tonumber(ARGV[3])
local quota = tonumber(ARGV[4])
local counts = ARGV[5] == '1'
local knownMonth = tonumber(ARGV[6])
local requests = tonumber(ARGV[9])
local stored = redis.call('HMGET', KEYS[1], surface .. ':end', surface .. ':n', 'month', 'used')

local used
if tonumber(stored[3]) == month then
  used = math.max(0, tonumber(stored[4]) + (knownMonth == month and tonumber(ARGV[8]) or 0))
elseif knownMonth == month and tonumber(ARGV[7]) >= 0 then
  used = tonumber(ARGV[7])
else
  return { 0, 3, 0, 0, 0, month, now }
end

local ends = tonumber(stored[1])
local count = tonumber(stored[2])
if not ends or ends <= now then
  ends = now + window
  count = 0
end

local consumed = math.max(0, math.min(requests, limit - count))
local verdict = consumed < requests and 1 or 0
local left = math.max(0, quota - used)
if counts and consumed > left then
  consumed = left
  verdict = 2
end
if consumed > 0 then
  local isNew = count == 0
  count = count + consumed
  if counts then
    used = used + consumed
  end
  redis.call('HSET', KEYS[1], surface .. ':end', string.format('%.0f', ends), surface .. ':n', count, 'month', month,
    'used', used)
  if isNew then
    -- Long after the last window the count is in Postgres.
    redis.call('EXPIRE', KEYS[1], 172800)
  end
elseif tonumber(stored[3]) ~= month then
  -- Nothing is counted, but Postgres need not be asked again. What is owed stays owed.
  redis.call('HSET', KEYS[1], 'month', month, 'used', used - tonumber(ARGV[8]))
  redis.call('EXPIRE', KEYS[1], 172800)
end
return { consumed, verdict, math.max(0, limit - count), ends - now, used, month, now }
