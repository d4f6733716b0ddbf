--[[
  Counts one attempt among those of the last while, by the clock of Redis. A list that has reached the limit
  takes no more and lives one whole window from its last entry: it is a block that ends by itself.

  KEYS[1]  list of the attempts' times in seconds, newest first
  ARGV[1]  limit: how many entries the list holds at most
  ARGV[2]  window in seconds
  ARGV[3]  channel that is told when the limit is reached; '' for none
  ARGV[4]  message for it

  Output   how many attempts there are now, this one included; limit + 1 where the list was full before
]]
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local count = redis.call('LLEN', KEYS[1])
if count >= limit then
  return limit + 1
end
local now = tonumber(redis.call('TIME')[1])
while count > 0 and tonumber(redis.call('LINDEX', KEYS[1], -1)) <= now - window do
  redis.call('RPOP', KEYS[1])
  count = count - 1
end
redis.call('LPUSH', KEYS[1], now)
redis.call('EXPIRE', KEYS[1], window)
if count + 1 == limit and ARGV[3] ~= '' then
  redis.call('PUBLISH', ARGV[3], ARGV[4])
end
return count + 1
