# The linker puts functions of the test between the library's own that make room.
foreach(symbol fnd_reserve fnd_reserve_one_more fnd_record_list_reserve fnd_contacts_evaluate fnd_pair_evaluate)
    target_link_options(${target} PRIVATE -Wl,--wrap=${symbol})
endforeach()
