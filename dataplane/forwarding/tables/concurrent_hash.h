// rte_hash with lock-free readers and one writer. A removed key's position is given back only after a
// grace period, so that a reader never finds a position that means another key by now.
#pragma once

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_hash.h>
#include <rte_hash_crc.h>
#include <rte_memory.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::forwarding {

template <class Key>
class ConcurrentHash {
  static_assert(std::has_unique_object_representations_v<Key>, "keys are compared as bytes");

 public:
  using Position = int32_t;
  static constexpr Position kAbsent = -1;

  // Cuckoo hashing may fail to place a key in a nearly full table: twice the room makes that remote.
  ConcurrentHash(const std::string& name, uint32_t capacity) : positions_(2 * capacity + 1) {
    rte_hash_parameters parameters{};
    parameters.name = name.c_str();
    parameters.entries = 2 * capacity;
    parameters.key_len = sizeof(Key);
    parameters.hash_func = rte_hash_crc;
    parameters.socket_id = SOCKET_ID_ANY;
    parameters.extra_flag = RTE_HASH_EXTRA_FLAGS_RW_CONCURRENCY_LF;
    hash_.reset(rte_hash_create(&parameters));
    if (!hash_)
      throw std::runtime_error(fmt::format("{}: no memory for {} entries ({}); give eal.memory_mb more", name,
                                           capacity, std::strerror(rte_errno)));
  }

  // Positions are below this bound: the size for arrays of values beside the hash.
  size_t positions() const { return positions_; }

  Position find(const Key& key) const {
    const int position = rte_hash_lookup(hash_.get(), &key);
    return position < 0 ? kAbsent : position;
  }

  Position add(const Key& key) {
    const int position = rte_hash_add_key(hash_.get(), &key);
    return position < 0 ? kAbsent : position;
  }

  Position remove(const Key& key) {
    const int position = rte_hash_del_key(hash_.get(), &key);
    if (position < 0) return kAbsent;
    removed_.push_back(position);
    return position;
  }

  void reclaim() {
    for (const Position position : removed_) rte_hash_free_key_with_position(hash_.get(), position);
    removed_.clear();
  }

 private:
  struct Free {
    void operator()(rte_hash* hash) const { rte_hash_free(hash); }
  };
  std::unique_ptr<rte_hash, Free> hash_;
  size_t positions_;
  std::vector<Position> removed_;
};

}  // namespace sluice::forwarding
